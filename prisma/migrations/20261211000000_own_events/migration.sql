-- Events of our own, written where a job or an entity ends, for the triggers that listen to them.

alter table millrace.app_events
  -- How many triggers in a row led here; 0 for what comes from outside.
  add column chain_depth integer not null default 0 check (chain_depth >= 0),
  -- Which end of which job it is about: one event each.
  add column origin_key  text check (length(origin_key) <= 200);
create unique index app_events_origin_idx on millrace.app_events (origin_key) where origin_key is not null;
create index app_events_own_idx on millrace.app_events (tenant_id, source_ref) where source = 'system';

-- The one definition whose jobs' ends can satisfy the condition; null: those of any.
alter table millrace.triggers add column watched_definition text check (length(watched_definition) <= 200);
create index triggers_own_events_idx on millrace.triggers (split_part(event_pattern, '.', 1), tenant_id)
  where kind = 'event' and is_enabled;

alter table millrace.trigger_runs drop constraint trigger_runs_outcome_check;
alter table millrace.trigger_runs add constraint trigger_runs_outcome_check
  check (outcome in ('enqueued', 'duplicate', 'disabled', 'condition_false', 'template_error', 'payload_refused', 'definition_inactive',
                     'still_active', 'missed', 'chain_too_deep'));
