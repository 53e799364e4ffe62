import type { Job } from '../core/job.ts';
import type { ClaimedJob } from '../core/queue.ts';
import type { ClaimedRow } from '../db/sql/queue/claim-jobs.ts';
import type { SyncedDefinition } from './sync-definitions.ts';

/** A claimed row as a worker gets it. What every claim sets alike (status, worker, no result) does not travel. */
export function toClaimedJob(
  row: ClaimedRow,
  definition: SyncedDefinition,
  workerId: string,
  token: string,
): ClaimedJob {
  return {
    job: toJob(row, workerId),
    definitionKey: definition.key,
    lease: { jobId: row.id, runNo: row.run_no, token },
    leaseSeconds: definition.leaseSeconds,
    timeoutSeconds: row.timeout_seconds ?? definition.timeoutSeconds,
  };
}

function toJob(row: ClaimedRow, workerId: string): Job {
  const claimedAt = timeOf(row.claimed_us);
  return {
    id: row.id,
    tenantId: row.tenant_id,
    definitionId: row.definition_id,
    source: row.source,
    sourceRef: row.source_ref,
    status: 'running',
    priority: row.priority,
    payload: row.payload,
    result: null,
    dedupeKey: row.dedupe_key,
    correlationId: row.correlation_id,
    subject:
      row.subject_type === null || row.subject_id === null
        ? null
        : { type: row.subject_type, id: row.subject_id },
    requestedFor: timeOrNull(row.requested_us),
    scheduledFor: timeOf(row.scheduled_us),
    queuedAt: timeOf(row.queued_us),
    claimedAt,
    startedAt: row.is_started ? claimedAt : null,
    finishedAt: null,
    attemptCount: row.attempt_count,
    maxAttempts: row.max_attempts,
    runNo: row.run_no,
    lostLeaseCount: row.lost_lease_count,
    snoozeCount: row.snooze_count,
    pendingDependencies: 0,
    expiresAt: timeOrNull(row.expires_us),
    timeoutSeconds: row.timeout_seconds,
    leaseExpiresAt: timeOf(row.lease_expires_us),
    claimedByWorker: workerId,
    cancelRequestedAt: timeOrNull(row.cancel_requested_us),
    lastError: row.last_error,
    reason: row.reason,
    createdBy: row.created_by,
    version: BigInt(row.version),
  };
}

function timeOf(us: string): Date {
  return new Date(Number(us) / 1000);
}

function timeOrNull(us: string | null): Date | null {
  return us === null ? null : timeOf(us);
}
