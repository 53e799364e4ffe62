import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { AppEvent } from '../../../generated/prisma/client.ts';

/**
 * Writes an event: tenant, name, data, source, its reference, correlation id, who. Wakes the dispatcher with
 * the commit ($8: its channel).
 * $9: the one trigger that it is for; null for all that listen to its name.
 */
export const insertEvent = statement(
  'insert_event',
  `
with event as (
  insert into millrace.app_events (tenant_id, name, data, source, source_ref, correlation_id, created_by, trigger_id)
  values ($1, $2, $3::jsonb, $4, $5, $6, $7, $9::uuid) returning id
)
select e.id, (select pg_notify($8::text, '') where millrace.can_notify()) is not null as is_notified from event e`,
);

export type InsertedEventRow = Columns<AppEvent, 'id'>;
