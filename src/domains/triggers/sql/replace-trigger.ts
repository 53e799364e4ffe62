import { statement } from '../../../db/statement.ts';

/** Gives the trigger that the object $1 names all the values that it holds. Index: triggers_pkey. */
export const replaceTrigger = statement(
  'replace_trigger',
  `
update millrace.triggers t
set definition_id = r.definition_id, label = r.label, kind = r.kind, is_enabled = r.is_enabled, event_pattern = r.event_pattern,
    condition = r.condition, cron = r.cron, every_seconds = r.every_seconds, run_at = r.run_at, time_zone = r.time_zone,
    missing_hour = r.missing_hour, repeated_hour = r.repeated_hour, missed_runs = r.missed_runs, backfill_limit = r.backfill_limit,
    jitter_seconds = r.jitter_seconds, starts_at = r.starts_at, ends_at = r.ends_at, skip_while_active = r.skip_while_active,
    payload_template = r.payload_template, priority = r.priority, dedupe_window_seconds = r.dedupe_window_seconds,
    watched_definition = r.watched_definition, next_at = r.next_at,
    due_at = r.due_at, version = t.version + 1, updated_at = clock_timestamp()
from jsonb_populate_record(null::millrace.triggers, $1::jsonb) r
where t.id = r.id and t.tenant_id = r.tenant_id`,
);
