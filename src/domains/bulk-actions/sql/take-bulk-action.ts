import { statement } from '../../../db/statement.ts';
import type { HeldBulkAction } from '../bulk-action.ts';

/**
 * Takes the oldest bulk action that nobody works on, for the holder $1 and $2 seconds. Always one row:
 * without an id there was none, and `nextSeconds` says when the next one that somebody holds may be free.
 * Crosses tenants. Locks the row. Index: bulk_actions_running_idx.
 */
export const takeBulkAction = statement(
  'take_bulk_action',
  `
with free as (
  select b.id from millrace.bulk_actions b
  where b.status = 'running' and (b.held_until is null or b.held_until < clock_timestamp())
  order by b.id limit 1 for update skip locked
), taken as (
  update millrace.bulk_actions b
  set holder = $1, held_until = clock_timestamp() + make_interval(secs => $2), version = b.version + 1, changed_xid = pg_current_xact_id()
  from free f where b.id = f.id
  returning b.*
)
select t.id, t.tenant_id as "tenantId", t.verb, t.filter, t.reason, t.spread_seconds as "spreadSeconds", t.last_job_id as "lastJobId",
       t.created_by as "createdBy", t.created_at as "createdAt",
       (select extract(epoch from min(b.held_until) - clock_timestamp())::double precision
        from millrace.bulk_actions b where b.status = 'running' and b.held_until >= clock_timestamp()) as "nextSeconds"
from (values (1)) one left join taken t on true`,
);

export type TakenBulkActionRow = (HeldBulkAction | { readonly id: null }) & {
  readonly nextSeconds: number | null;
};
