-- Events, and the triggers that make jobs from events and by schedules.

-- What makes jobs by itself. A schedule's next tick is on its row: whoever enqueues it holds the row and moves it on in one transaction.
create table millrace.triggers (
  id                    uuid primary key default uuidv7(),
  tenant_id             uuid not null references millrace.tenants (id) on delete restrict,
  definition_id         uuid not null references millrace.job_definitions (id) on delete restrict,
  label                 text not null check (length(label) between 1 and 200),
  kind                  text not null check (kind in ('event', 'schedule')),
  is_enabled            boolean not null default true,
  -- Of an event trigger.
  event_pattern         text check (length(event_pattern) between 1 and 200),
  condition             jsonb,
  -- Of a schedule: one of the first three.
  cron                  text check (length(cron) between 1 and 200),
  every_seconds         integer check (every_seconds between 1 and 31622400),
  run_at                timestamptz,
  time_zone             text not null default 'UTC' check (length(time_zone) between 1 and 64),
  missing_hour          text not null default 'after' check (missing_hour in ('after', 'skip')),
  repeated_hour         text not null default 'first' check (repeated_hour in ('first', 'both')),
  missed_runs           text not null default 'run_once' check (missed_runs in ('skip', 'run_once', 'backfill')),
  backfill_limit        integer not null default 10 check (backfill_limit between 1 and 1000),
  jitter_seconds        integer not null default 0 check (jitter_seconds between 0 and 86400),
  starts_at             timestamptz,
  ends_at               timestamptz,
  skip_while_active     boolean not null default false,
  -- The time of the next tick, and when it is enqueued (later by the jitter); null: there is none.
  next_at               timestamptz,
  due_at                timestamptz,
  last_at               timestamptz,
  last_job_id           uuid,
  -- Of the jobs.
  payload_template      jsonb not null default '{}',
  priority              integer not null default 100 check (priority between 0 and 1000000),
  dedupe_window_seconds integer not null default 300 check (dedupe_window_seconds between 0 and 31622400),
  version               bigint not null default 1,
  created_by            text,
  created_at            timestamptz not null default clock_timestamp(),
  updated_at            timestamptz not null default clock_timestamp(),
  check ((kind = 'event') = (event_pattern is not null)),
  check (kind = 'schedule' or condition is null or jsonb_typeof(condition) = 'object'),
  check (num_nonnulls(cron, every_seconds, run_at) = case kind when 'schedule' then 1 else 0 end),
  check ((next_at is null) = (due_at is null)),
  check (starts_at < ends_at)
);
create index triggers_tenant_idx on millrace.triggers (tenant_id, id);
create index triggers_event_idx on millrace.triggers (tenant_id, event_pattern) where kind = 'event';
create index triggers_due_idx on millrace.triggers (due_at, id) where is_enabled and due_at is not null;
create index triggers_definition_idx on millrace.triggers (definition_id);

-- The outbox: a row goes in with the transaction of what happened.
create table millrace.app_events (
  id             uuid primary key default uuidv7(),
  tenant_id      uuid not null references millrace.tenants (id) on delete restrict,
  name           text not null check (length(name) between 1 and 200),
  data           jsonb not null default '{}',
  source         text not null default 'api' check (source in ('api', 'sql', 'system', 'webhook')),
  source_ref     text check (length(source_ref) <= 1024),
  correlation_id text check (length(correlation_id) <= 255),
  created_by     text,
  created_at     timestamptz not null default clock_timestamp(),
  processed_at   timestamptz,
  -- Jobs that it made, and triggers that listened to its name.
  job_count      integer not null default 0,
  trigger_count  integer not null default 0
);
create index app_events_pending_idx on millrace.app_events (id) where processed_at is null;
create index app_events_tenant_idx on millrace.app_events (tenant_id, id desc);
create index app_events_name_idx on millrace.app_events (tenant_id, name, id desc);

-- What became of each tick, and of each event at each trigger that listens to its name. The unique indexes are the last word on "once".
create table millrace.trigger_runs (
  id           uuid primary key default uuidv7(),
  tenant_id    uuid not null,
  trigger_id   uuid not null references millrace.triggers (id) on delete cascade,
  event_id     uuid references millrace.app_events (id) on delete cascade,
  scheduled_at timestamptz,
  outcome      text not null check (outcome in ('enqueued', 'duplicate', 'disabled', 'condition_false', 'template_error', 'payload_refused',
                                                'definition_inactive', 'still_active', 'missed')),
  job_id       uuid,
  reason       text check (length(reason) <= 2000),
  created_at   timestamptz not null default clock_timestamp(),
  check (num_nonnulls(event_id, scheduled_at) <= 1)
);
create unique index trigger_runs_event_idx on millrace.trigger_runs (event_id, trigger_id) where event_id is not null;
create unique index trigger_runs_tick_idx on millrace.trigger_runs (trigger_id, scheduled_at) where scheduled_at is not null;
create index trigger_runs_trigger_idx on millrace.trigger_runs (trigger_id, id desc);
create index trigger_runs_tenant_idx on millrace.trigger_runs (tenant_id, id desc);
