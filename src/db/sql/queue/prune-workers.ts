import type { JobWorker } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * Removes the rows of workers that have not been seen for $1 seconds, unless the server itself was away
 * meanwhile. Locks the rows; skips those that are beating this moment. Index: none, the table has a row a
 * process.
 */
export const pruneWorkers = statement(
  'prune_workers',
  `
delete from millrace.job_workers
where worker_id in (
    select worker_id from millrace.job_workers
    where last_seen_at < clock_timestamp() - make_interval(secs => $1)
      and pg_postmaster_start_time() < clock_timestamp() - make_interval(secs => $1)
    for update skip locked)
returning worker_id`,
);

export type PrunedWorkerRow = Columns<JobWorker, 'worker_id'>;
