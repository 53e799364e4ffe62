import { statement } from '../../statement.ts';

/**
 * How many live worker processes serve each of these definitions ($1 keys), as `waiting_for` counts them.
 * Locks nothing.
 */
export const countWorkers = statement(
  'count_workers',
  `
select k.key, count(*)::integer as "workerCount"
from millrace.job_workers w cross join lateral unnest(w.definition_keys) as k (key)
where w.last_seen_at > clock_timestamp() - interval '30 seconds' and w.stopping_at is null and k.key = any ($1::text[])
group by k.key`,
);

export interface WorkerCountRow {
  readonly key: string;
  readonly workerCount: number;
}
