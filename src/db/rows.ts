import type { Job, JobError, JobMetadata, JobSource, JobStatus, LabeledJob } from '../core/job.ts';
import type { Job as JobModel } from '../generated/prisma/client.ts';
import type { Columns, NullableColumns } from './columns.ts';

/** A row of `millrace.jobs` as node-postgres gives it; bigint comes as text. */
export interface JobRow
  extends Columns<
    JobModel,
    | 'id'
    | 'tenant_id'
    | 'definition_id'
    | 'source'
    | 'source_ref'
    | 'status'
    | 'priority'
    | 'payload'
    | 'result'
    | 'dedupe_key'
    | 'correlation_id'
    | 'subject_type'
    | 'subject_id'
    | 'requested_for'
    | 'scheduled_for'
    | 'queued_at'
    | 'claimed_at'
    | 'started_at'
    | 'finished_at'
    | 'attempt_count'
    | 'max_attempts'
    | 'run_no'
    | 'lost_lease_count'
    | 'snooze_count'
    | 'pending_dependencies'
    | 'expires_at'
    | 'timeout_seconds'
    | 'lease_expires_at'
    | 'claimed_by_worker'
    | 'cancel_requested_at'
    | 'last_error'
    | 'reason'
    | 'created_by'
    | 'version'
  > {
  readonly source: JobSource;
  readonly status: JobStatus;
  readonly last_error: JobError | null;
}

/** With the columns that only readers ask for. */
export interface LabeledJobRow
  extends JobRow,
    NullableColumns<JobModel, 'tags'>,
    Columns<JobModel, 'metadata'> {
  readonly metadata: JobMetadata | null;
}

/** As `toJob`, with tags and metadata. */
export function toLabeledJob(row: LabeledJobRow): LabeledJob {
  return { ...toJob(row), tags: row.tags ?? [], metadata: row.metadata };
}

/** The row as the core's job. The lease token stays behind: it is a secret of the worker that holds it. */
export function toJob(row: JobRow): Job {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    definitionId: row.definition_id,
    source: row.source,
    sourceRef: row.source_ref,
    status: row.status,
    priority: row.priority,
    payload: row.payload,
    result: row.result,
    dedupeKey: row.dedupe_key,
    correlationId: row.correlation_id,
    subject:
      row.subject_type === null || row.subject_id === null
        ? null
        : { type: row.subject_type, id: row.subject_id },
    requestedFor: row.requested_for,
    scheduledFor: row.scheduled_for,
    queuedAt: row.queued_at,
    claimedAt: row.claimed_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    attemptCount: row.attempt_count,
    maxAttempts: row.max_attempts,
    runNo: row.run_no,
    lostLeaseCount: row.lost_lease_count,
    snoozeCount: row.snooze_count,
    pendingDependencies: row.pending_dependencies,
    expiresAt: row.expires_at,
    timeoutSeconds: row.timeout_seconds,
    leaseExpiresAt: row.lease_expires_at,
    claimedByWorker: row.claimed_by_worker,
    cancelRequestedAt: row.cancel_requested_at,
    lastError: row.last_error,
    reason: row.reason,
    createdBy: row.created_by,
    version: BigInt(row.version),
  };
}
