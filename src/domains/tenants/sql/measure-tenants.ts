import { statement } from '../../../db/statement.ts';

/**
 * How the queues of the tenants $1 stand: each kind is counted up to $2 and no further. The oldest ready job
 * is the oldest of those counted. Crosses tenants; locks nothing. Indexes: jobs_ready_idx, jobs_waiting_idx,
 * jobs_running_idx.
 */
export const measureTenants = statement(
  'measure_tenants',
  `
select t.id as "tenantId", r.count as "readyCount", r.oldest as "oldestReadyAt", f.count as "delayedCount", l.count as "waitingCount", n.count as "runningCount",
       clock_timestamp() as "measuredAt"
from unnest($1::uuid[]) as t (id)
cross join lateral (
  select count(*)::integer as count, min(j.scheduled_for) filter (where j.scheduled_for <= clock_timestamp()) as oldest
  from (select o.scheduled_for from millrace.jobs o
        where o.tenant_id = t.id and o.status = 'queued' and o.pending_dependencies = 0 and not o.is_delayed limit $2) j) r
cross join lateral (
  select count(*)::integer as count
  from (select from millrace.jobs o
        where o.tenant_id = t.id and o.status = 'queued' and o.pending_dependencies = 0 and o.is_delayed limit $2) j) f
cross join lateral (
  select count(*)::integer as count
  from (select from millrace.jobs o where o.tenant_id = t.id and o.status = 'queued' and o.pending_dependencies > 0 limit $2) j) l
cross join lateral (
  select count(*)::integer as count
  from (select from millrace.jobs o where o.tenant_id = t.id and o.status = 'running'
          and o.definition_id in (select d.id from millrace.job_definitions d) limit $2) j) n`,
);

export interface TenantQueueRow {
  readonly tenantId: string;
  readonly readyCount: number;
  readonly oldestReadyAt: Date | null;
  readonly delayedCount: number;
  readonly waitingCount: number;
  readonly runningCount: number;
  readonly measuredAt: Date;
}
