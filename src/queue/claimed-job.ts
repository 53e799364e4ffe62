import type { Job } from '../core/job.ts';
import type { ClaimedJob } from '../core/queue.ts';
import type { ClaimEnd, ClaimedRow, RareColumns } from '../db/sql/queue/claim-jobs.ts';
import type { SyncedDefinition } from './sync-definitions.ts';

/** Of a job that is nothing out of the ordinary. */
const NOTHING_RARE: RareColumns = {
  source: 'manual',
  attemptCount: 0,
  lostLeaseCount: 0,
  snoozeCount: 0,
  lastError: null,
};

/** A claimed row as a worker gets it. What every claim sets alike (status, worker, no result) does not travel. */
export function toClaimedJob(
  row: ClaimedRow,
  end: ClaimEnd,
  definition: SyncedDefinition,
  workerId: string,
): ClaimedJob {
  const rare = row.rare ?? NOTHING_RARE;
  return {
    job: toJob(row, rare, end, definition, workerId),
    definitionKey: definition.key,
    lease: { jobId: row.id, runNo: row.run_no, token: end.token },
    leaseSeconds: definition.leaseSeconds,
    timeoutSeconds: rare.timeoutSeconds ?? definition.timeoutSeconds,
  };
}

function toJob(
  row: ClaimedRow,
  rare: RareColumns,
  { claimedUs }: ClaimEnd,
  { leaseSeconds }: SyncedDefinition,
  workerId: string,
): Job {
  const claimedAt = timeOf(claimedUs);
  return {
    id: row.id,
    tenantId: row.tenant_id,
    definitionId: row.definition_id,
    source: rare.source,
    sourceRef: rare.sourceRef ?? null,
    status: 'running',
    priority: row.priority,
    payload: row.payload,
    result: null,
    dedupeKey: rare.dedupeKey ?? null,
    correlationId: rare.correlationId ?? null,
    subject:
      rare.subjectType === undefined || rare.subjectId === undefined
        ? null
        : { type: rare.subjectType, id: rare.subjectId },
    requestedFor: timeOrNull(rare.requestedUs),
    scheduledFor: timeOf(Number(row.scheduled_us)),
    queuedAt: timeOf(Number(row.queued_us)),
    claimedAt,
    startedAt: row.is_started ? claimedAt : null,
    finishedAt: null,
    attemptCount: rare.attemptCount,
    maxAttempts: row.max_attempts,
    runNo: row.run_no,
    lostLeaseCount: rare.lostLeaseCount,
    snoozeCount: rare.snoozeCount,
    pendingDependencies: 0,
    expiresAt: timeOrNull(rare.expiresUs),
    timeoutSeconds: rare.timeoutSeconds ?? null,
    // The row's own is some milliseconds later: it counts from the moment in which the row was written.
    leaseExpiresAt: timeOf(claimedUs + leaseSeconds * 1e6),
    claimedByWorker: workerId,
    cancelRequestedAt: timeOrNull(rare.cancelRequestedUs),
    lastError: rare.lastError,
    reason: rare.reason ?? null,
    createdBy: row.created_by,
    version: BigInt(row.version),
  };
}

function timeOf(us: number): Date {
  return new Date(us / 1000);
}

function timeOrNull(us: number | undefined): Date | null {
  return us === undefined ? null : timeOf(us);
}
