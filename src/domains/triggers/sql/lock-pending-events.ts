import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { AppEvent } from '../../../generated/prisma/client.ts';

/**
 * Events that no one has processed yet, oldest first, at most $1; those that another process holds are passed
 * over. Index: app_events_pending_idx.
 */
export const lockPendingEvents = statement(
  'lock_pending_events',
  `
select e.id, e.tenant_id, n.slug as tenant_slug, e.name, e.data, e.source, e.source_ref, e.correlation_id, e.created_at, e.chain_depth,
       e.trigger_id
from millrace.app_events e join millrace.tenants n on n.id = e.tenant_id
where e.processed_at is null
order by e.id
limit $1
for update of e skip locked`,
);

export interface PendingEventRow
  extends Columns<
    AppEvent,
    | 'id'
    | 'tenant_id'
    | 'name'
    | 'data'
    | 'source'
    | 'source_ref'
    | 'correlation_id'
    | 'created_at'
    | 'chain_depth'
    | 'trigger_id'
  > {
  readonly tenant_slug: string;
  /** How many triggers in a row led to it. */
  readonly chain_depth: number;
}
