import type { WorkerQueue } from '../../src/core/queue.ts';
import type { Database } from '../../src/db/database.ts';
import { countOverdueLeases } from '../../src/db/sql/maintenance/count-overdue-leases.ts';
import {
  type ExpiredLeasesRow,
  findExpiredLeases,
} from '../../src/db/sql/maintenance/find-expired-leases.ts';
import type { Logger } from '../../src/telemetry/log.ts';

export interface RescueDeps {
  readonly database: Database;
  readonly queue: WorkerQueue;
  readonly log: Logger;
  /** Between two rounds. */
  readonly everyMs: number;
  /** How long this process has had the database without a break. */
  readonly knownUpSeconds: number;
}

const BATCH = 500;

/**
 * Puts back the jobs whose lease has ended, but for those whose lease is longer than the database has been back: there it may
 * have been the outage that kept their workers from renewing, and they get one lease to do so.
 * @returns how many were put back
 */
export async function rescue(deps: RescueDeps): Promise<number> {
  const { rows } = await deps.database.asWorker<ExpiredLeasesRow>(findExpiredLeases, []);
  const found = rows[0];
  if (found === undefined || found.expired_count === 0) return 0;
  const upSeconds = Math.min(found.server_up_seconds, deps.knownUpSeconds);
  let rescued = 0;
  for (;;) {
    const ids = await deps.queue.rescue(BATCH, upSeconds);
    rescued += ids.length;
    if (ids.length > 0)
      deps.log.warn({ job_ids: ids.slice(0, 20), jobs: ids.length }, 'rescue: leases ended, jobs go back');
    if (ids.length < BATCH) break;
  }
  await watchInvariant(deps);
  return rescued;
}

/** No running job whose lease ended more than two rounds ago. A round that is late itself must not cry wolf. */
async function watchInvariant({ database, log, everyMs }: RescueDeps): Promise<void> {
  const { rows } = await database.asWorker<{ overdue_count: number }>(countOverdueLeases, [
    (2 * everyMs) / 1000,
  ]);
  const overdue = rows[0]?.overdue_count ?? 0;
  if (overdue > 0)
    log.error({ overdue_count: overdue }, 'rescue: leases ended more than two rounds ago and were not taken');
}
