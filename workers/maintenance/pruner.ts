import { type Duty, inBatches } from '../../src/core/duty.ts';
import type { MaintenanceQueue } from '../../src/core/maintenance-queue.ts';
import type { Database } from '../../src/db/database.ts';
import { pruneAuditLog } from '../../src/db/sql/maintenance/prune-audit-log.ts';
import { pruneIdempotencyKeys } from '../../src/db/sql/maintenance/prune-idempotency-keys.ts';
import { type PrunedTombstonesRow, pruneTombstones } from '../../src/db/sql/maintenance/prune-tombstones.ts';
import type { Logger } from '../../src/telemetry/log.ts';

/** A worker is seen every 5 s; one that was not for two minutes is gone. */
const WORKER_STALE_SECONDS = 120;
/** As long as the feed's cursors live. */
const TOMBSTONE_HOURS = 24;
const TOMBSTONE_BATCH = 1_000;
const KEY_BATCH = 1_000;
/** Some tens of milliseconds. */
const LOG_LINE_BATCH = 2_000;
const AUDIT_BATCH = 1_000;

/**
 * Removes the rows of worker processes that died. Their jobs' leases are on the jobs: nothing is looked up
 * here.
 */
export function workersDuty(queue: Pick<MaintenanceQueue, 'pruneWorkers'>, log: Logger): Duty {
  return {
    name: 'prune workers',
    everyMs: 60_000,
    run: async () => {
      const workers = await queue.pruneWorkers(WORKER_STALE_SECONDS);
      if (workers.length > 0) log.warn({ workers }, 'prune: workers not seen any more');
      return { workers: workers.length };
    },
  };
}

/** Removes the traces of deleted jobs, videos and clips that no cursor can ask for any more. */
export function tombstonesDuty(database: Database): Duty {
  return {
    name: 'prune tombstones',
    everyMs: 60_000,
    run: async (turn) => ({
      tombstones: await inBatches(turn, async () => {
        const { rows } = await database.asWorker<PrunedTombstonesRow>(pruneTombstones, [
          TOMBSTONE_HOURS,
          TOMBSTONE_BATCH,
        ]);
        const { jobs, media } = rows[0] ?? { jobs: 0, media: 0 };
        return { done: jobs + media, more: Math.max(jobs, media) === TOMBSTONE_BATCH };
      }),
    }),
  };
}

/**
 * Removes the log lines of jobs that were deleted: a few at a time, since a job may have a hundred thousand.
 */
export function jobLogsDuty(queue: Pick<MaintenanceQueue, 'pruneJobLogs'>): Duty {
  return {
    name: 'prune job logs',
    everyMs: 10_000,
    run: async (turn) => ({
      lines: await inBatches(turn, async () => {
        const { lineCount, hasMore } = await queue.pruneJobLogs(LOG_LINE_BATCH);
        return { done: lineCount, more: hasMore };
      }),
    }),
  };
}

/** Removes idempotency keys whose day is over. */
export function idempotencyKeysDuty(database: Database): Duty {
  return {
    name: 'prune idempotency keys',
    everyMs: 60_000,
    run: async (turn) => ({
      keys: await inBatches(turn, async () => {
        const { rowCount } = await database.asWorker(pruneIdempotencyKeys, [KEY_BATCH]);
        const done = rowCount ?? 0;
        return { done, more: done === KEY_BATCH };
      }),
    }),
  };
}

/** Removes entries of the audit log whose time is up. @param retentionSeconds null: they are kept forever */
export function auditLogDuty(database: Database, retentionSeconds: number | null): Duty {
  return {
    name: 'prune audit log',
    everyMs: 60_000,
    run: async (turn) => ({
      entries:
        retentionSeconds === null
          ? 0
          : await inBatches(turn, async () => {
              const { rowCount } = await database.asWorker(pruneAuditLog, [retentionSeconds, AUDIT_BATCH]);
              return { done: rowCount ?? 0, more: rowCount === AUDIT_BATCH };
            }),
    }),
  };
}
