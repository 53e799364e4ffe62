import type { JobDefinition } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * How many unfinished jobs of each definition there are, each count up to $1 and no further, and how long the
 * oldest ready one that was counted has waited. Finished ones are not counted: they grow for weeks. Crosses
 * tenants; locks nothing. Indexes: jobs_ready_idx by skip scan over tenants, jobs_running_idx,
 * jobs_pending_idx.
 */
export const measureDepth = statement(
  'measure_depth',
  `
with blocked as materialized (
  select b.definition_id, count(*)::integer as count
  from (select j.definition_id from millrace.jobs j where j.status = 'queued' and j.pending_dependencies > 0 limit $1) b
  group by b.definition_id)
select d.key, q.ready, q.scheduled, coalesce(b.count, 0) as blocked, r.running,
       extract(epoch from clock_timestamp() - q.oldest)::float8 as oldest_ready_seconds
from millrace.job_definitions d
left join blocked b on b.definition_id = d.id
cross join lateral (
  select count(*) filter (where w.scheduled_for <= clock_timestamp())::integer as ready,
         count(*) filter (where w.scheduled_for > clock_timestamp())::integer as scheduled,
         min(w.scheduled_for) filter (where w.scheduled_for <= clock_timestamp()) as oldest
  from (select j.scheduled_for from millrace.jobs j
        where j.definition_id = d.id and j.status = 'queued' and j.pending_dependencies = 0 limit $1) w) q
cross join lateral (
  select count(*)::integer as running
  from (select from millrace.jobs j where j.definition_id = d.id and j.status = 'running' limit $1) s) r`,
);

export interface DepthRow extends Columns<JobDefinition, 'key'> {
  readonly ready: number;
  readonly scheduled: number;
  readonly blocked: number;
  readonly running: number;
  readonly oldest_ready_seconds: number | null;
}
