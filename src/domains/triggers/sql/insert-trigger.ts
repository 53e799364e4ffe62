import { statement } from '../../../db/statement.ts';

/** Inserts a trigger from the object $1, whose fields are named as the columns. */
export const insertTrigger = statement(
  'insert_trigger',
  `
insert into millrace.triggers
  (id, tenant_id, definition_id, label, kind, is_enabled, event_pattern, condition, cron, every_seconds, run_at, time_zone, missing_hour,
   repeated_hour, missed_runs, backfill_limit, jitter_seconds, starts_at, ends_at, skip_while_active, payload_template, priority,
   dedupe_window_seconds, watched_definition, next_at, due_at, created_by)
select r.id, r.tenant_id, r.definition_id, r.label, r.kind, r.is_enabled, r.event_pattern, r.condition, r.cron,
       r.every_seconds, r.run_at, r.time_zone, r.missing_hour, r.repeated_hour, r.missed_runs, r.backfill_limit, r.jitter_seconds,
       r.starts_at, r.ends_at, r.skip_while_active, r.payload_template, r.priority, r.dedupe_window_seconds,
       r.watched_definition, r.next_at, r.due_at, r.created_by
from jsonb_populate_record(null::millrace.triggers, $1::jsonb) r`,
);
