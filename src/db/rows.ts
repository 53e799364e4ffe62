import type { Job, JobError, JobMetadata, JobSource, JobStatus, LabeledJob } from '../core/job.ts';

/** A row of `millrace.jobs` as node-postgres gives it; bigint comes as text. */
export interface JobRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly definition_id: string;
  readonly source: JobSource;
  readonly source_ref: string | null;
  readonly status: JobStatus;
  readonly priority: number;
  readonly payload: unknown;
  readonly result: unknown;
  readonly dedupe_key: string | null;
  readonly correlation_id: string | null;
  readonly subject_type: string | null;
  readonly subject_id: string | null;
  readonly requested_for: Date | null;
  readonly scheduled_for: Date;
  readonly queued_at: Date;
  readonly claimed_at: Date | null;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  readonly attempt_count: number;
  readonly max_attempts: number;
  readonly run_no: number;
  readonly lost_lease_count: number;
  readonly snooze_count: number;
  readonly pending_dependencies: number;
  readonly expires_at: Date | null;
  readonly timeout_seconds: number | null;
  readonly lease_expires_at: Date | null;
  readonly claimed_by_worker: string | null;
  readonly cancel_requested_at: Date | null;
  readonly last_error: JobError | null;
  readonly reason: string | null;
  readonly created_by: string | null;
  readonly version: string;
}

/** With the columns that only readers ask for. */
export interface LabeledJobRow extends JobRow {
  readonly tags: readonly string[] | null;
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
