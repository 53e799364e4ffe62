import { statement } from '../../statement.ts';

/**
 * For how long the job of a tenant that is due longest has been waiting: the first of each definition and priority, at most 1,000 of them.
 * $1 tenant_id
 * Locks nothing. Index: jobs_ready_idx, one look for each definition and priority.
 */
export const oldestQueued = statement(
  'oldest_queued',
  `
with recursive lanes as (
  (select j.definition_id, j.priority, j.scheduled_for from millrace.jobs j
   where j.is_delayed = false and j.tenant_id = $1::uuid and j.status = 'queued' and j.pending_dependencies = 0
   order by j.definition_id, j.priority, j.scheduled_for limit 1)
  union all
  select n.* from lanes l cross join lateral (
    select j.definition_id, j.priority, j.scheduled_for from millrace.jobs j
    where j.is_delayed = false and j.tenant_id = $1::uuid and j.status = 'queued' and j.pending_dependencies = 0
      and (j.definition_id, j.priority) > (l.definition_id, l.priority)
    order by j.definition_id, j.priority, j.scheduled_for limit 1) n
)
select extract(epoch from now() - min(f.scheduled_for))::float8 as age_seconds
from (select l.scheduled_for from lanes l limit 1000) f where f.scheduled_for <= now()`,
);

export interface OldestQueuedRow {
  readonly age_seconds: number | null;
}
