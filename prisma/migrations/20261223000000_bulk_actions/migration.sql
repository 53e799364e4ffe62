-- Bulk actions: cancels and retries of everything that a filter chooses, which go on whatever becomes of the process that works on them.

create table millrace.bulk_actions (
  id                uuid not null default uuidv7(),
  tenant_id         uuid not null,
  verb              text not null,
  status            text not null default 'running',
  -- As the use-cases take it.
  filter            jsonb not null,
  reason            text,
  spread_seconds    double precision not null default 0,
  -- Jobs that were found so far, and whether there are more behind them.
  matched_count     integer not null default 0,
  has_more          boolean not null default true,
  -- Canceled, or back in the queue.
  done_count        integer not null default 0,
  -- Running ones that were asked to stop.
  requested_count   integer not null default 0,
  -- Left as they are, with the counts by reason.
  failed_count      integer not null default 0,
  skipped           jsonb not null default '{}',
  -- The last one that was looked at.
  last_job_id       uuid,
  -- Who works on it, and until when that counts.
  holder            uuid,
  held_until        timestamptz,
  stop_requested_at timestamptz,
  error             text,
  created_by        text,
  created_at        timestamptz not null default clock_timestamp(),
  finished_at       timestamptz,
  version           bigint not null default 1,
  changed_xid       xid8 not null default pg_current_xact_id(),
  constraint bulk_actions_pkey primary key (id),
  constraint bulk_actions_tenant_id_fkey foreign key (tenant_id) references millrace.tenants(id) on delete restrict,
  constraint bulk_actions_verb_check check (verb in ('cancel', 'retry')),
  constraint bulk_actions_status_check check (status in ('running', 'succeeded', 'stopped', 'failed')),
  constraint bulk_actions_end_check check ((status = 'running') = (finished_at is null))
);
create index bulk_actions_history_idx on millrace.bulk_actions (tenant_id, id);
create index bulk_actions_changed_xid_idx on millrace.bulk_actions (changed_xid);
create index bulk_actions_running_idx on millrace.bulk_actions (held_until) where status = 'running';
create index bulk_actions_finished_idx on millrace.bulk_actions (finished_at) where status <> 'running';
