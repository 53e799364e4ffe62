import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Trigger } from '../../../generated/prisma/client.ts';

/**
 * Triggers that listen to events: pairs of a tenant ($1) and a pattern ($2). Disabled ones too, so that an
 * event can say why it made no job. Locks them against a change of their definition or deletion until the
 * transaction ends. Index: triggers_event_idx.
 */
export const findEventTriggers = statement(
  'find_event_triggers',
  `
select t.id, t.tenant_id, t.label, t.event_pattern, t.condition, t.is_enabled, t.payload_template, t.priority, t.dedupe_window_seconds,
       t.version::text as version, d.key as definition_key, t.created_by
from (select distinct p.tenant_id, p.pattern from unnest($1::uuid[], $2::text[]) as p (tenant_id, pattern)) p
join millrace.triggers t on t.tenant_id = p.tenant_id and t.event_pattern = p.pattern and t.kind = 'event'
join millrace.job_definitions d on d.id = t.definition_id
order by t.id
for key share of t`,
);

export interface EventTriggerRow
  extends Columns<
    Trigger,
    | 'id'
    | 'tenant_id'
    | 'label'
    | 'event_pattern'
    | 'condition'
    | 'is_enabled'
    | 'payload_template'
    | 'priority'
    | 'dedupe_window_seconds'
    | 'version'
    | 'created_by'
  > {
  readonly event_pattern: string;
  readonly definition_key: string;
}
