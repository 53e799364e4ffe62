import type { Static } from 'typebox';
import type { JobError, JobSource, JobStatus } from '../core/job.ts';
import { maskPayload } from '../core/redaction/secret-fields.ts';
import { timeOfUuid } from '../core/uuid-time.ts';
import type { DefinitionRow, JobProgressRow, JobRow } from '../db/prisma.ts';
import type { RestContext } from './context.ts';
import type { JobErrorSchema, JobProgressSchema, JobSchema, JobSummarySchema } from './schemas/job.ts';

export type ShownJob = Static<typeof JobSchema>;
export type ListedJob = Static<typeof JobSummarySchema>;

/** A time as answers have it. */
export function timeText(time: Date): string {
  return time.toISOString();
}

/** The same, or null. */
export function timeOrNull(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}

/** The definition of a job, which no job is without. */
async function definitionOf({ operation }: RestContext, job: JobRow): Promise<DefinitionRow> {
  const definition = await operation.loaders.definition.load(job.definitionId);
  if (definition !== null) return definition;
  throw new Error(`Job ${job.id} has no definition`);
}

/** A job as a list shows it. */
export async function listedJob(context: RestContext, job: JobRow): Promise<ListedJob> {
  return summaryOf(job, (await definitionOf(context, job)).key);
}

/** A job with all that its own route shows. */
export async function shownJob(context: RestContext, job: JobRow): Promise<ShownJob> {
  const { loaders } = context.operation;
  const [definition, payload, result, progress, waiting] = await Promise.all([
    definitionOf(context, job),
    loaders.payload.load(job.id),
    loaders.result.load(job.id),
    loaders.progress.load(job.id),
    job.status === 'queued' ? loaders.waitingFor.load(job.id) : null,
  ]);
  const isObject = typeof payload === 'object' && payload !== null;
  return {
    ...summaryOf(job, definition.key),
    payload: isObject ? maskPayload(definition.argSchema, payload) : payload,
    result: maskPayload(undefined, result) ?? null,
    progress: progress?.runNo === job.runNo ? shownProgress(progress) : null,
    waiting_for:
      waiting === null
        ? null
        : { reason: waiting.reason, message: waiting.message, ends_at: timeOrNull(waiting.until) },
  };
}

function summaryOf(job: JobRow, definitionKey: string): ListedJob {
  const { subjectType, subjectId } = job;
  return {
    id: job.id,
    tenant_id: job.tenantId,
    status: job.status as JobStatus,
    definition_key: definitionKey,
    source: job.source as JobSource,
    source_ref: job.sourceRef,
    priority: job.priority,
    dedupe_key: job.dedupeKey,
    correlation_id: job.correlationId,
    subject: subjectType === null || subjectId === null ? null : { type: subjectType, key: subjectId },
    tags: [...((job.tags as readonly string[] | null) ?? [])],
    metadata: maskPayload({}, job.metadata ?? null) as typeof job.metadata,
    created_at: timeText(timeOfUuid(job.id) ?? job.queuedAt),
    requested_for: timeOrNull(job.requestedFor),
    scheduled_for: timeText(job.scheduledFor),
    queued_at: timeText(job.queuedAt),
    claimed_at: timeOrNull(job.claimedAt),
    started_at: timeOrNull(job.startedAt),
    finished_at: timeOrNull(job.finishedAt),
    expires_at: timeOrNull(job.expiresAt),
    timeout_seconds: job.timeoutSeconds,
    attempt_count: job.attemptCount,
    max_attempts: job.maxAttempts,
    run_no: job.runNo,
    snooze_count: job.snoozeCount,
    lost_lease_count: job.lostLeaseCount,
    pending_dependency_count: job.pendingDependencies,
    lease_expires_at: timeOrNull(job.leaseExpiresAt),
    claimed_by_worker: job.claimedByWorker,
    is_cancel_requested: job.cancelRequestedAt !== null,
    last_error: shownError(job.lastError),
    reason: job.reason,
    created_by: job.createdBy,
    replay_of: job.replayOf,
    version: String(job.version),
  };
}

/** A stored error; the JSON may come from a foreign writer, so nothing in it is taken for granted. */
export function shownError(stored: unknown): Static<typeof JobErrorSchema> | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { type, message, timestamp, retryCount } = stored as Partial<JobError>;
  const time = new Date(timestamp ?? Number.NaN);
  return {
    type: typeof type === 'string' ? type : 'Error',
    message: typeof message === 'string' ? message : '',
    failed_at: Number.isNaN(time.getTime()) ? null : time.toISOString(),
    retry_count: Number.isInteger(retryCount) ? (retryCount as number) : 0,
  };
}

export function shownProgress(row: JobProgressRow): Static<typeof JobProgressSchema> {
  return {
    percent: row.percent,
    stage: row.stage,
    message: row.message,
    eta_seconds: row.etaSeconds,
    run_no: row.runNo,
    updated_at: timeText(row.updatedAt),
  };
}
