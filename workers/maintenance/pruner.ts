import type { Database } from '../../src/db/database.ts';
import { pruneTombstones } from '../../src/db/sql/maintenance/prune-tombstones.ts';
import { pruneWorkers } from '../../src/db/sql/maintenance/prune-workers.ts';
import type { Logger } from '../../src/telemetry/log.ts';

interface PruneDeps {
  readonly database: Database;
  readonly log: Logger;
}

/** A worker is seen every 5 s; one that was not for two minutes is gone. */
const WORKER_STALE_SECONDS = 120;
/** As long as the feed's cursors live. */
const TOMBSTONE_HOURS = 24;
const TOMBSTONE_BATCH = 10_000;

/** Removes the rows of worker processes that died. */
export async function pruneWorkerRows({ database, log }: PruneDeps): Promise<void> {
  const { rows } = await database.asWorker<{ worker_id: string }>(pruneWorkers, [WORKER_STALE_SECONDS]);
  if (rows.length > 0)
    log.warn({ workers: rows.map((row) => row.worker_id) }, 'prune: workers not seen any more');
}

/** Removes the traces of deleted jobs that no cursor can ask for any more. */
export async function pruneTombstoneRows({ database, log }: PruneDeps): Promise<void> {
  let pruned = 0;
  for (;;) {
    const { rowCount } = await database.asWorker(pruneTombstones, [TOMBSTONE_HOURS, TOMBSTONE_BATCH]);
    pruned += rowCount ?? 0;
    if ((rowCount ?? 0) < TOMBSTONE_BATCH) break;
  }
  if (pruned > 0) log.info({ tombstones: pruned }, 'prune: tombstones removed');
}
