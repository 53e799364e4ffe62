import { statement } from '../../../db/statement.ts';

/** Events that no one has processed yet, oldest first, at most $1; those that another process holds are passed over. Index: app_events_pending_idx. */
export const lockPendingEvents = statement(
  'lock_pending_events',
  `
select e.id, e.tenant_id, n.slug as tenant_slug, e.name, e.data, e.source, e.source_ref, e.correlation_id, e.created_at, e.chain_depth
from millrace.app_events e join millrace.tenants n on n.id = e.tenant_id
where e.processed_at is null
order by e.id
limit $1
for update of e skip locked`,
);

export interface PendingEventRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly tenant_slug: string;
  readonly name: string;
  readonly data: unknown;
  readonly source: string;
  readonly source_ref: string | null;
  readonly correlation_id: string | null;
  readonly created_at: Date;
  /** How many triggers in a row led to it. */
  readonly chain_depth: number;
}
