import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Trigger } from '../../../generated/prisma/client.ts';
import type { ScheduleColumns } from '../dispatch/row-schedule.ts';
import type { TriggerColumns } from '../use-cases/trigger-fields.ts';

/** The trigger $2 of tenant $1, held until the transaction ends. Index: triggers_pkey. */
export const lockTrigger = statement(
  'lock_trigger',
  `
select t.id, t.tenant_id, n.slug as tenant_slug, d.key as definition_key, t.definition_id, t.label, t.kind, t.is_enabled, t.event_pattern,
       t.condition, t.cron, t.every_seconds, t.run_at, t.time_zone, t.missing_hour, t.repeated_hour, t.missed_runs, t.backfill_limit,
       t.jitter_seconds, t.starts_at, t.ends_at, t.skip_while_active, t.payload_template, t.priority, t.dedupe_window_seconds, t.next_at,
       t.due_at, t.last_at, t.version::text as version, t.created_by, clock_timestamp() as now
from millrace.triggers t
join millrace.job_definitions d on d.id = t.definition_id
join millrace.tenants n on n.id = t.tenant_id
where t.tenant_id = $1 and t.id = $2
for no key update of t`,
);

export interface TriggerLockRow
  extends Omit<TriggerColumns, 'watched_definition'>,
    ScheduleColumns,
    Columns<
      Trigger,
      | 'id'
      | 'tenant_id'
      | 'definition_id'
      | 'run_at'
      | 'cron'
      | 'every_seconds'
      | 'next_at'
      | 'due_at'
      | 'last_at'
      | 'version'
      | 'created_by'
    > {
  readonly tenant_slug: string;
  readonly definition_key: string;
  readonly now: Date;
}
