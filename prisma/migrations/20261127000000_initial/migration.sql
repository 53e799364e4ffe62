-- The tables of the vertical slice: tenants and identity, the queue, the feed's traces, videos and their artifacts.
-- Roles and policies follow in the next migration, triggers and functions in the one after it.

create schema if not exists millrace;

-- Identity ------------------------------------------------------------------------------------------------------

create table millrace.tenants (
  id          uuid primary key default uuidv7(),
  slug        text not null unique check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  name        text not null check (length(name) between 1 and 200),
  -- Share of claims against other tenants; read by the claim.
  weight      integer not null default 1 check (weight between 1 and 100),
  paused_at   timestamptz,
  deleted_at  timestamptz,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now()
);

-- Owns global jobs (scanner, retention); only super_admin sees it.
insert into millrace.tenants (id, slug, name)
values ('00000000-0000-0000-0000-000000000000', 'system', 'System');

-- Optional authority: where a tenant has rows here, a person's role is the lower of the token's and the row's.
create table millrace.tenant_members (
  tenant_id   uuid not null references millrace.tenants (id) on delete restrict,
  user_sub    text not null check (length(user_sub) between 1 and 255),
  role        text not null check (role in ('member', 'tenant_admin')),
  created_at  timestamptz not null default now(),
  primary key (tenant_id, user_sub)
);

create table millrace.api_keys (
  id           uuid primary key default uuidv7(),
  tenant_id    uuid not null references millrace.tenants (id) on delete restrict,
  name         text not null check (length(name) between 1 and 200),
  -- SHA-256 of the whole key; the key itself is shown once and never stored.
  key_hash     bytea not null unique check (length(key_hash) = 32),
  role         text not null check (role in ('worker', 'member', 'tenant_admin', 'super_admin')),
  expires_at   timestamptz,
  revoked_at   timestamptz,
  created_by   text,
  created_at   timestamptz not null default now()
);
create index api_keys_tenant_idx on millrace.api_keys (tenant_id, created_at);

-- Ends tokens early: everything of a subject, or one token by its id, issued before a time.
create table millrace.revocations (
  id           uuid primary key default uuidv7(),
  tenant_id    uuid not null references millrace.tenants (id) on delete restrict,
  subject      text,
  token_id     text,
  not_before   timestamptz not null default now(),
  created_by   text,
  created_at   timestamptz not null default now(),
  check (subject is not null or token_id is not null)
);
create index revocations_tenant_idx on millrace.revocations (tenant_id, not_before);

-- The queue -----------------------------------------------------------------------------------------------------

create table millrace.job_definitions (
  id               uuid primary key default uuidv7(),
  key              text not null unique check (key ~ '^[a-z][a-z0-9_.-]{0,99}$'),
  description      text not null default '',
  arg_schema       jsonb not null default '{}'::jsonb,
  timeout_seconds  integer not null default 3600 check (timeout_seconds between 1 and 604800),
  max_attempts     integer not null default 3 check (max_attempts between 1 and 1000),
  lease_seconds    integer not null default 30 check (lease_seconds between 2 and 3600),
  retry_policy     jsonb not null default '{}'::jsonb,
  max_snoozes      integer check (max_snoozes >= 0),
  enqueue_role     text not null default 'tenant_admin' check (enqueue_role in ('member', 'tenant_admin', 'system')),
  is_active        boolean not null default true,
  paused_at        timestamptz,
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now()
);

create table millrace.jobs (
  id                    uuid primary key default uuidv7(),
  tenant_id             uuid not null references millrace.tenants (id) on delete restrict,
  definition_id         uuid not null references millrace.job_definitions (id) on delete restrict,
  source                text not null default 'manual' check (source in ('manual', 'event', 'schedule', 'system')),
  source_ref            text,
  -- text, not an enum: enum comparison is not leakproof, so under row security it would never reach an index.
  status                text not null default 'queued'
                        check (status in ('queued', 'running', 'succeeded', 'failed', 'canceled', 'dead_letter')),
  priority              integer not null default 100 check (priority between 0 and 1000000),
  payload               jsonb not null default '{}'::jsonb,
  result                jsonb,
  dedupe_key            text check (length(dedupe_key) between 1 and 1024),
  correlation_id        text check (length(correlation_id) between 1 and 255),
  subject_type          text check (length(subject_type) between 1 and 100),
  subject_id            text check (length(subject_id) between 1 and 255),
  -- The time that was asked for, where it lay in the past; scheduled_for is never before the enqueue.
  requested_for         timestamptz,
  scheduled_for         timestamptz not null default now(),
  queued_at             timestamptz not null default now(),
  claimed_at            timestamptz,
  started_at            timestamptz,
  finished_at           timestamptz,
  attempt_count         integer not null default 0,
  max_attempts          integer not null default 3 check (max_attempts between 1 and 1000),
  run_no                integer not null default 0,
  lost_lease_count      integer not null default 0,
  snooze_count          integer not null default 0,
  pending_dependencies  integer not null default 0 check (pending_dependencies >= 0),
  lease_token           uuid,
  lease_expires_at      timestamptz,
  claimed_by_worker     text,
  cancel_requested_at   timestamptz,
  last_error            jsonb,
  reason                text,
  created_by            text,
  version               bigint not null default 1,
  changed_xid           xid8 not null default pg_current_xact_id(),
  check ((subject_type is null) = (subject_id is null)),
  check ((status = 'running') = (lease_token is not null)),
  check ((status = 'running') = (lease_expires_at is not null)),
  check ((status in ('succeeded', 'failed', 'canceled', 'dead_letter')) = (finished_at is not null))
)
-- Room for updates beside the row, and early vacuum: a queue's rows are dead within seconds.
with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
      autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

-- What may be claimed, lane by lane (tenant, definition). The B-tree skip scan of Postgres 18 steps over the
-- priorities whose rows lie in the future, so a million of them cost nothing.
create index jobs_ready_idx on millrace.jobs (tenant_id, definition_id, priority, scheduled_for, id)
  where status = 'queued' and pending_dependencies = 0;
create index jobs_lease_idx on millrace.jobs (lease_expires_at) where status = 'running';
create index jobs_changed_xid_idx on millrace.jobs (changed_xid);
create unique index jobs_active_dedupe_idx on millrace.jobs (tenant_id, dedupe_key)
  where dedupe_key is not null and status in ('queued', 'running');
create index jobs_history_idx on millrace.jobs (tenant_id, id);
create index jobs_subject_idx on millrace.jobs (tenant_id, subject_type, subject_id, id)
  where subject_id is not null;
create index jobs_correlation_idx on millrace.jobs (tenant_id, correlation_id, id)
  where correlation_id is not null;

create table millrace.job_attempts (
  job_id       uuid not null references millrace.jobs (id) on delete cascade,
  -- The job's run_no of that run.
  attempt_no   integer not null,
  tenant_id    uuid not null,
  worker_id    text not null,
  status       text not null check (status in ('succeeded', 'skipped', 'failed', 'timeout', 'canceled', 'lost')),
  claimed_at   timestamptz not null,
  started_at   timestamptz,
  finished_at  timestamptz not null default now(),
  error        jsonb,
  wall_ms      integer,
  cpu_ms       integer,
  exit_code    integer,
  stdout_tail  text,
  stderr_tail  text,
  primary key (job_id, attempt_no)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1);

-- Newest progress of a running job: a row of its own, so that a chatty handler does not bloat jobs.
create table millrace.job_progress (
  job_id       uuid primary key references millrace.jobs (id) on delete cascade,
  tenant_id    uuid not null,
  run_no       integer not null,
  percent      real check (percent between 0 and 100),
  stage        text,
  message      text,
  eta_seconds  real,
  updated_at   timestamptz not null default now(),
  changed_xid  xid8 not null default pg_current_xact_id()
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);
create index job_progress_changed_xid_idx on millrace.job_progress (changed_xid);

-- Traces of deleted jobs, for as long as cursors live: the feed tells watchers that the job is gone.
create table millrace.job_tombstones (
  job_id          uuid primary key,
  tenant_id       uuid not null,
  definition_id   uuid not null,
  subject_type    text,
  subject_id      text,
  correlation_id  text,
  created_by      text,
  deleted_at      timestamptz not null default now(),
  changed_xid     xid8 not null default pg_current_xact_id()
);
create index job_tombstones_changed_xid_idx on millrace.job_tombstones (changed_xid);
create index job_tombstones_deleted_idx on millrace.job_tombstones (deleted_at);

create table millrace.job_workers (
  -- Random per process start.
  worker_id        text primary key,
  hostname         text not null,
  pid              integer not null,
  version          text not null default '',
  definition_keys  text[] not null default '{}',
  concurrency      integer not null,
  running_count    integer not null default 0,
  started_at       timestamptz not null default now(),
  last_seen_at     timestamptz not null default now(),
  stopping_at      timestamptz,
  metadata         jsonb not null default '{}'::jsonb
);

-- Videos and what was made of them ------------------------------------------------------------------------------

create table millrace.videos (
  id             uuid primary key default uuidv7(),
  tenant_id      uuid not null references millrace.tenants (id) on delete restrict,
  owner_id       text,
  team_id        text,
  title          text not null check (length(title) between 1 and 500),
  status         text not null default 'awaiting_upload'
                 check (status in ('awaiting_upload', 'uploaded', 'processing', 'transcoded', 'ready', 'failed')),
  content_type   text,
  original_key   text not null,
  proxy_key      text,
  thumb_key      text,
  size_bytes     bigint check (size_bytes >= 0),
  duration_ms    bigint check (duration_ms >= 0),
  width_px       integer check (width_px > 0),
  height_px      integer check (height_px > 0),
  fps            double precision,
  error          text,
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now(),
  version        bigint not null default 1,
  changed_xid    xid8 not null default pg_current_xact_id()
);
create index videos_history_idx on millrace.videos (tenant_id, id);
create index videos_changed_xid_idx on millrace.videos (changed_xid);

create table millrace.artifacts (
  id             uuid primary key default uuidv7(),
  tenant_id      uuid not null references millrace.tenants (id) on delete restrict,
  job_id         uuid references millrace.jobs (id) on delete set null,
  run_no         integer,
  subject_type   text not null,
  subject_id     text not null,
  kind           text not null,
  key            text not null,
  size_bytes     bigint not null check (size_bytes >= 0),
  sha256         text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  content_type   text not null,
  metadata       jsonb not null default '{}'::jsonb,
  created_at     timestamptz not null default now(),
  unique (tenant_id, key)
);
create index artifacts_subject_idx on millrace.artifacts (tenant_id, subject_type, subject_id, kind);
create index artifacts_job_idx on millrace.artifacts (job_id);
