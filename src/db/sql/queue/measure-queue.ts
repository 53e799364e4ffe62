import { statement } from '../../statement.ts';

/**
 * How the queue stands, as far as it can be counted cheaply: ready jobs are counted up to $1 and no further,
 * however many wait. `failed` ones are not counted at all: they grow for weeks. Crosses tenants; locks
 * nothing. Indexes: jobs_ready_idx, jobs_doomed_idx; job_workers has a row a process.
 */
export const measureQueue = statement(
  'measure_queue',
  `
select (select count(*)::integer from (
          select from millrace.jobs j where j.status = 'queued' and j.pending_dependencies = 0 limit $1) r) as waiting_count,
       (select count(*)::integer from (
          select from millrace.jobs j where j.status = 'queued' and j.cancel_requested_at is not null limit $1) c) as doomed_count,
       (select count(*)::integer from millrace.job_workers w
        where w.last_seen_at > clock_timestamp() - make_interval(secs => $2)) as worker_count`,
);

export interface QueueMeasureRow {
  readonly waiting_count: number;
  readonly doomed_count: number;
  readonly worker_count: number;
}
