-- A database as the last migration before the baseline left it: its catalog, and the bookkeeping of its forty migrations. For the test that
-- takes such a database over. Never edited.
set check_function_bodies = off;
set search_path = pg_catalog, pg_temp;

-- The tables of Millrace, with their indexes and constraints. What runs in the database (functions, views, triggers) and who may do what
-- (row security, rights) are in prisma/routines, which are applied after the migrations.

create schema if not exists millrace;

-- The program makes the three roles beforehand (they belong to the whole cluster) and sets millrace.role_prefix; without the setting their
-- names begin with `millrace`.
do $$
declare
  v_prefix constant text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace');
begin
  execute format('grant usage on schema millrace to %I, %I, %I', v_prefix || '_api', v_prefix || '_worker', v_prefix || '_admin');
end $$;

-- For an index over when a row was last changed: xid8 has no operators that a BRIN index could use. An index needs it, so it is made
-- here, and not in prisma/routines.
create function millrace.xid_number(p_xid xid8) returns bigint language sql immutable strict parallel safe
return (p_xid::text)::bigint;

create type millrace.claim_lane as (
  tenant_id          uuid,
  definition_id      uuid,
  weight             integer,
  is_limited         boolean,
  is_marked          boolean,
  definition_max     integer,
  definition_rate    integer,
  definition_period  integer,
  tenant_max         integer,
  tenant_rate        integer,
  tenant_period      integer,
  lane_max           integer,
  lane_rate          integer,
  lane_period        integer
);

create type millrace.claimed_job as (
  id             uuid,
  tenant_id      uuid,
  definition_id  uuid,
  payload        jsonb,
  priority       integer,
  scheduled_us   bigint,
  queued_us      bigint,
  is_started     boolean,
  run_no         integer,
  max_attempts   integer,
  version        bigint,
  created_by     text,
  rare           jsonb
);

create table millrace.tenants (
  id                         uuid not null default uuidv7(),
  slug                       text not null,
  name                       text not null,
  -- Share of claims against other tenants; read by the claim.
  weight                     integer not null default 1,
  paused_at                  timestamptz,
  deleted_at                 timestamptz,
  created_at                 timestamptz not null default now(),
  updated_at                 timestamptz not null default now(),
  max_running                integer,
  rate_limit_count           integer,
  rate_limit_period_seconds  integer,
  retention_seconds          bigint,
  max_stored_bytes           bigint,
  constraint tenants_pkey primary key (id),
  constraint tenants_slug_key unique (slug),
  constraint tenants_max_running_check check (max_running >= 1),
  constraint tenants_max_stored_bytes_check check (max_stored_bytes > 0),
  constraint tenants_name_check check (length(name) between 1 and 200),
  constraint tenants_rate_limit_count_check check (rate_limit_count >= 1),
  constraint tenants_rate_limit_period_seconds_check check (rate_limit_period_seconds between 1 and 86400),
  constraint tenants_rate_whole check ((rate_limit_count is null) = (rate_limit_period_seconds is null)),
  constraint tenants_retention_seconds_check check (retention_seconds >= 0),
  constraint tenants_slug_check check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  constraint tenants_weight_check check (weight between 1 and 100)
);

-- Optional authority: where a tenant has rows here, a person's role is the lower of the token's and the row's.
create table millrace.tenant_members (
  tenant_id   uuid not null,
  user_sub    text not null,
  role        text not null,
  created_at  timestamptz not null default now(),
  -- A person's `sub` is any text, and no page's cursor: members are listed by a key of their own that grows with time.
  id          uuid not null default uuidv7(),
  constraint tenant_members_pkey primary key (tenant_id, user_sub),
  constraint tenant_members_tenant_id_fkey foreign key (tenant_id) references millrace.tenants(id) on delete restrict,
  constraint tenant_members_role_check check (role in ('member', 'tenant_admin')),
  constraint tenant_members_user_sub_check check (length(user_sub) between 1 and 255)
);
create index tenant_members_id_idx on millrace.tenant_members (tenant_id, id);

create table millrace.api_keys (
  id              uuid not null default uuidv7(),
  tenant_id       uuid not null,
  name            text not null,
  -- SHA-256 of the whole key; the key itself is shown once and never stored.
  key_hash        bytea not null,
  role            text not null,
  expires_at      timestamptz,
  revoked_at      timestamptz,
  created_by      text,
  created_at      timestamptz not null default now(),
  -- Narrows the role: `jobs:read`, `videos:write` … Empty: all that the role may. A word that the API does not know grants nothing.
  scopes          text[] not null default '{}',
  -- True: takes operations by the id that they were registered under, and no other text.
  persisted_only  boolean not null default false,
  constraint api_keys_pkey primary key (id),
  constraint api_keys_key_hash_key unique (key_hash),
  constraint api_keys_tenant_id_fkey foreign key (tenant_id) references millrace.tenants(id) on delete restrict,
  constraint api_keys_key_hash_check check (length(key_hash) = 32),
  constraint api_keys_name_check check (length(name) between 1 and 200),
  constraint api_keys_role_check check (role in ('worker', 'member', 'tenant_admin', 'super_admin'))
);
create index api_keys_tenant_idx on millrace.api_keys (tenant_id, id);

-- Ends tokens early: everything of a subject, or one token by its id, issued before a time.
create table millrace.revocations (
  id          uuid not null default uuidv7(),
  tenant_id   uuid not null,
  subject     text,
  token_id    text,
  not_before  timestamptz not null default now(),
  created_by  text,
  created_at  timestamptz not null default now(),
  constraint revocations_pkey primary key (id),
  constraint revocations_tenant_id_fkey foreign key (tenant_id) references millrace.tenants(id) on delete restrict,
  constraint revocations_check check ((subject is not null) or (token_id is not null))
);
create index revocations_tenant_idx on millrace.revocations (tenant_id, not_before);
create index revocations_subject_idx on millrace.revocations (tenant_id, subject, not_before)
  where subject is not null;
create index revocations_token_idx on millrace.revocations (tenant_id, token_id, not_before)
  where token_id is not null;

create table millrace.job_definitions (
  id                                    uuid not null default uuidv7(),
  key                                   text not null,
  description                           text not null default '',
  arg_schema                            jsonb not null default '{}',
  timeout_seconds                       integer not null default 3600,
  max_attempts                          integer not null default 3,
  lease_seconds                         integer not null default 30,
  retry_policy                          jsonb not null default '{}',
  max_snoozes                           integer,
  enqueue_role                          text not null default 'tenant_admin',
  is_active                             boolean not null default true,
  paused_at                             timestamptz,
  created_at                            timestamptz not null default now(),
  updated_at                            timestamptz not null default now(),
  max_running                           integer,
  max_running_per_tenant                integer,
  rate_limit_count                      integer,
  rate_limit_period_seconds             integer,
  rate_limit_per_tenant_count           integer,
  rate_limit_per_tenant_period_seconds  integer,
  -- A snoozing job ends as failed: DeadlineExceeded this long after it was queued.
  snooze_deadline_seconds               integer,
  -- How long finished jobs are kept; null: as the tenant, else as the program is configured.
  retention_seconds                     bigint,
  -- The limits as the code declared them last: a start changes a limit only when its declaration changed, so that an operator's
  -- own setting stays.
  declared_limits                       jsonb not null default '{}',
  constraint job_definitions_pkey primary key (id),
  constraint job_definitions_key_key unique (key),
  constraint job_definitions_enqueue_role_check check (enqueue_role in ('member', 'tenant_admin', 'system')),
  constraint job_definitions_key_check check (key ~ '^[a-z][a-z0-9_.-]{0,99}$'),
  constraint job_definitions_lease_seconds_check check (lease_seconds between 2 and 3600),
  constraint job_definitions_max_attempts_check check (max_attempts between 1 and 1000),
  constraint job_definitions_max_running_check check (max_running >= 1),
  constraint job_definitions_max_running_per_tenant_check check (max_running_per_tenant >= 1),
  constraint job_definitions_max_snoozes_check check (max_snoozes >= 0),
  constraint job_definitions_rate_limit_count_check check (rate_limit_count >= 1),
  constraint job_definitions_rate_limit_per_tenant_count_check check (rate_limit_per_tenant_count >= 1),
  constraint job_definitions_rate_limit_per_tenant_period_seconds_check 
    check (rate_limit_per_tenant_period_seconds between 1 and 86400),
  constraint job_definitions_rate_limit_period_seconds_check check (rate_limit_period_seconds between 1 and 86400),
  constraint job_definitions_rate_whole check ((rate_limit_count is null) = (rate_limit_period_seconds is null)),
  constraint job_definitions_retention_seconds_check check (retention_seconds >= 0),
  constraint job_definitions_snooze_deadline_seconds_check check (snooze_deadline_seconds >= 1),
  constraint job_definitions_tenant_rate_whole 
    check ((rate_limit_per_tenant_count is null) = (rate_limit_per_tenant_period_seconds is null)),
  constraint job_definitions_timeout_seconds_check check (timeout_seconds between 1 and 604800)
);

create table millrace.jobs (
  id                    uuid not null default uuidv7(),
  tenant_id             uuid not null,
  definition_id         uuid not null,
  source                text not null default 'manual',
  source_ref            text,
  -- text, not an enum: enum comparison is not leakproof, so under row security it would never reach an index.
  status                text not null default 'queued',
  priority              integer not null default 100,
  payload               jsonb not null default '{}',
  result                jsonb,
  dedupe_key            text,
  correlation_id        text,
  subject_type          text,
  subject_id            text,
  -- The time that was asked for, where it lay in the past; scheduled_for is never before the enqueue.
  requested_for         timestamptz,
  scheduled_for         timestamptz not null default now(),
  queued_at             timestamptz not null default now(),
  claimed_at            timestamptz,
  started_at            timestamptz,
  finished_at           timestamptz,
  attempt_count         integer not null default 0,
  max_attempts          integer not null default 3,
  run_no                integer not null default 0,
  lost_lease_count      integer not null default 0,
  snooze_count          integer not null default 0,
  pending_dependencies  integer not null default 0,
  lease_token           uuid,
  lease_expires_at      timestamptz,
  claimed_by_worker     text,
  cancel_requested_at   timestamptz,
  last_error            jsonb,
  reason                text,
  created_by            text,
  version               bigint not null default 1,
  changed_xid           xid8 not null default pg_current_xact_id(),
  -- Not started by then: canceled, reason `expired`.
  expires_at            timestamptz,
  -- Instead of the definition's.
  timeout_seconds       integer,
  -- What the last run took, in milliseconds, if it succeeded.
  wall_ms               integer,
  cpu_ms                integer,
  -- Tags and free metadata of jobs: what callers find and group their jobs by, and notes of their own. No worker reads them, and a job without
  -- any is as large as it was. Both may change in any state, and such a change is stamped for the feed as every other.
  tags                  text[],
  metadata              jsonb,
  constraint jobs_pkey primary key (id) with (fillfactor=45),
  constraint jobs_status_check 
    check (
    case
      when lease_token is not null then status = 'running' and lease_expires_at is not null and finished_at is null
      when finished_at is not null
        then status = any ('{succeeded,failed,canceled,dead_letter}') and lease_expires_at is null
      else status = 'queued' and lease_expires_at is null
    end)
) with (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02,
  autovacuum_vacuum_cost_limit = 2000,
  autovacuum_vacuum_max_threshold = 100000,
  toast.autovacuum_vacuum_scale_factor = 0.05,
  toast.autovacuum_vacuum_threshold = 1000,
  toast.autovacuum_vacuum_cost_limit = 2000
);
-- What may be claimed, lane by lane (tenant, definition). The B-tree skip scan of Postgres 18 steps over the
-- priorities whose rows lie in the future, so a million of them cost nothing.
create index jobs_ready_idx on millrace.jobs (tenant_id, definition_id, priority, scheduled_for, id)
  where status = 'queued' and pending_dependencies = 0;
create index jobs_changed_xid_idx on millrace.jobs (changed_xid);
create unique index jobs_active_dedupe_idx on millrace.jobs (tenant_id, dedupe_key)
  where dedupe_key is not null and status in ('queued', 'running');
create index jobs_subject_idx on millrace.jobs (tenant_id, subject_type, subject_id, id)
  where subject_id is not null;
create index jobs_correlation_idx on millrace.jobs (tenant_id, correlation_id, id)
  where correlation_id is not null;
create index jobs_finished_idx on millrace.jobs (tenant_id, finished_at) where finished_at is not null;
create index jobs_waiting_idx on millrace.jobs (tenant_id, id)
  where status = 'queued' and pending_dependencies > 0;
create index jobs_running_idx on millrace.jobs (definition_id, tenant_id, lease_expires_at)
  where status = 'running';
create index jobs_expires_idx on millrace.jobs (expires_at) where status = 'queued' and expires_at is not null;
-- The newest job with a key, whatever became of it: for windows, which are looked up and not enforced.
create index jobs_dedupe_idx on millrace.jobs (tenant_id, dedupe_key, id) where dedupe_key is not null;
-- Queued jobs that somebody or something has doomed (a failed parent, expiry): they are ended, not run.
create index jobs_doomed_idx on millrace.jobs (id) where status = 'queued' and cancel_requested_at is not null;
-- For the look at what waits for parents, which is to find nothing.
create index jobs_pending_idx on millrace.jobs (id) where status = 'queued' and pending_dependencies > 0;

create table millrace.stored_attempts (
  job_id       uuid constraint job_attempts_job_id_not_null not null,
  -- The job's run_no of that run.
  attempt_no   integer constraint job_attempts_attempt_no_not_null not null,
  tenant_id    uuid constraint job_attempts_tenant_id_not_null not null,
  worker_id    text constraint job_attempts_worker_id_not_null not null,
  status       text constraint job_attempts_status_not_null not null,
  claimed_at   timestamptz constraint job_attempts_claimed_at_not_null not null,
  started_at   timestamptz,
  finished_at  timestamptz constraint job_attempts_finished_at_not_null not null default now(),
  error        jsonb,
  wall_ms      integer,
  cpu_ms       integer,
  exit_code    integer,
  stdout_tail  text,
  stderr_tail  text,
  constraint stored_attempts_pkey primary key (job_id, attempt_no),
  constraint job_attempts_status_check 
    check (status in ('succeeded', 'skipped', 'failed', 'timeout', 'canceled', 'lost'))
) with (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.1,
  autovacuum_vacuum_cost_limit = 2000,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_max_threshold = 100000,
  toast.autovacuum_vacuum_scale_factor = 0.05,
  toast.autovacuum_vacuum_threshold = 1000
);

-- Newest progress of a running job: a row of its own, so that a chatty handler does not bloat jobs.
create table millrace.job_progress (
  job_id       uuid not null,
  tenant_id    uuid not null,
  run_no       integer not null,
  percent      real,
  stage        text,
  message      text,
  eta_seconds  real,
  updated_at   timestamptz not null default now(),
  changed_xid  xid8 not null default pg_current_xact_id(),
  -- An object that the handler has published, to be shown beside its words.
  preview_key  text,
  constraint job_progress_pkey primary key (job_id),
  constraint job_progress_percent_check 
    check ((percent >= (0)::double precision) and (percent <= (100)::double precision))
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 200,
  autovacuum_vacuum_cost_limit = 2000
);
create index job_progress_changed_idx on millrace.job_progress using brin (millrace.xid_number(changed_xid)) with (pages_per_range='4', autosummarize='on');

-- Traces of deleted jobs, for as long as cursors live: the feed tells watchers that the job is gone.
create table millrace.job_tombstones (
  job_id          uuid not null,
  tenant_id       uuid not null,
  definition_id   uuid not null,
  subject_type    text,
  subject_id      text,
  correlation_id  text,
  created_by      text,
  deleted_at      timestamptz not null default now(),
  changed_xid     xid8 not null default pg_current_xact_id(),
  constraint job_tombstones_pkey primary key (job_id)
) with (
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 1000
);
create index job_tombstones_changed_xid_idx on millrace.job_tombstones (changed_xid);
create index job_tombstones_deleted_idx on millrace.job_tombstones (deleted_at);

create table millrace.job_workers (
  -- Random per process start.
  worker_id        text not null,
  hostname         text not null,
  pid              integer not null,
  version          text not null default '',
  definition_keys  text[] not null default '{}',
  concurrency      integer not null,
  running_count    integer not null default 0,
  started_at       timestamptz not null default now(),
  last_seen_at     timestamptz not null default now(),
  stopping_at      timestamptz,
  metadata         jsonb not null default '{}',
  -- Runs that a rescue has taken from this worker: the last of them, whose lease was longer, was not alone in it either.
  lost_run_count   integer not null default 0,
  constraint job_workers_pkey primary key (worker_id)
);

create table millrace.videos (
  id            uuid not null default uuidv7(),
  tenant_id     uuid not null,
  owner_id      text,
  team_id       text,
  title         text not null,
  status        text not null default 'awaiting_upload',
  content_type  text,
  original_key  text not null,
  proxy_key     text,
  thumb_key     text,
  size_bytes    bigint,
  duration_ms   bigint,
  width_px      integer,
  height_px     integer,
  fps           float8,
  error         jsonb,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  version       bigint not null default 1,
  changed_xid   xid8 not null default pg_current_xact_id(),
  -- Languages that the texts of a video are in, as Tesseract names them; null: as the configuration says.
  languages     text[],
  constraint videos_pkey primary key (id),
  constraint videos_tenant_id_fkey foreign key (tenant_id) references millrace.tenants(id) on delete restrict,
  constraint videos_duration_ms_check check (duration_ms >= 0),
  constraint videos_height_px_check check (height_px > 0),
  constraint videos_languages_check check ((cardinality(languages) >= 1) and (cardinality(languages) <= 10)),
  constraint videos_size_bytes_check check (size_bytes >= 0),
  constraint videos_status_check 
    check (status in ('awaiting_upload', 'uploaded', 'processing', 'transcoded', 'ready', 'failed')),
  constraint videos_title_check check (length(title) between 1 and 500),
  constraint videos_width_px_check check (width_px > 0)
);
create index videos_history_idx on millrace.videos (tenant_id, id);
create index videos_changed_xid_idx on millrace.videos (changed_xid);
-- What is being worked on: whoever resumes gets it anew, since the work's progress is not in the row.
create index videos_in_work_idx on millrace.videos (tenant_id, id)
  where status in ('uploaded', 'processing', 'transcoded');

create table millrace.artifacts (
  id            uuid not null default uuidv7(),
  tenant_id     uuid not null,
  job_id        uuid,
  run_no        integer,
  subject_type  text not null,
  subject_id    text not null,
  kind          text not null,
  key           text not null,
  size_bytes    bigint not null,
  sha256        text not null,
  content_type  text not null,
  metadata      jsonb not null default '{}',
  created_at    timestamptz not null default now(),
  constraint artifacts_pkey primary key (id),
  constraint artifacts_tenant_id_key_key unique (tenant_id, key),
  constraint artifacts_tenant_id_fkey foreign key (tenant_id) references millrace.tenants(id) on delete restrict,
  constraint artifacts_sha256_check check (sha256 ~ '^[0-9a-f]{64}$'),
  constraint artifacts_size_bytes_check check (size_bytes >= 0)
);
create index artifacts_subject_idx on millrace.artifacts (tenant_id, subject_type, subject_id, kind);
create index artifacts_job_idx on millrace.artifacts (job_id);

-- One tenant's own limits for one definition; a null column leaves the definition's per-tenant limit in force.
create table millrace.lane_limits (
  tenant_id                  uuid not null,
  definition_id              uuid not null,
  max_running                integer,
  rate_limit_count           integer,
  rate_limit_period_seconds  integer,
  created_at                 timestamptz not null default now(),
  updated_at                 timestamptz not null default now(),
  constraint lane_limits_pkey primary key (tenant_id, definition_id),
  constraint lane_limits_definition_id_fkey 
    foreign key (definition_id) references millrace.job_definitions(id) on delete restrict,
  constraint lane_limits_tenant_id_fkey foreign key (tenant_id) references millrace.tenants(id) on delete restrict,
  constraint lane_limits_check check ((rate_limit_count is null) = (rate_limit_period_seconds is null)),
  constraint lane_limits_max_running_check check (max_running >= 1),
  constraint lane_limits_rate_limit_count_check check (rate_limit_count >= 1),
  constraint lane_limits_rate_limit_period_seconds_check check (rate_limit_period_seconds between 1 and 86400)
);

-- What a claim under a limit holds, and how much of a rate is left. `scope` says whose limit: a definition's, a tenant's, a lane's.
create table millrace.limit_gates (
  id              bigint not null generated always as identity,
  scope           text not null,
  tenant_id       uuid,
  definition_id   uuid,
  -- The starts of a limit's last period, in slots of a twentieth of it: 21 slots cover any window of one period, wherever it
  -- begins, so that no window ever has more starts than the limit. Slot n is in starts[1 + n % 21].
  period_seconds  integer,
  newest_slot     bigint,
  starts          integer[],
  constraint limit_gates_pkey primary key (id),
  constraint limit_gates_scope_tenant_id_definition_id_key unique nulls not distinct (scope, tenant_id, definition_id),
  constraint limit_gates_check check ((tenant_id is not null) = (scope in ('tenant', 'lane'))),
  constraint limit_gates_check1 check ((definition_id is not null) = (scope in ('definition', 'lane'))),
  constraint limit_gates_scope_check check (scope in ('definition', 'tenant', 'lane'))
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 200,
  autovacuum_vacuum_cost_limit = 2000
);

-- Each edge has a policy for a parent that does not succeed: `cancel` the child, `skip` it (its own children take that for
-- success) or `run` it all the same.
create table millrace.job_dependencies (
  job_id         uuid not null,
  depends_on_id  uuid not null,
  tenant_id      uuid not null,
  policy         text not null default 'cancel',
  created_at     timestamptz not null default now(),
  constraint job_dependencies_pkey primary key (job_id, depends_on_id),
  constraint job_dependencies_check check (job_id <> depends_on_id),
  constraint job_dependencies_policy_check check (policy in ('cancel', 'skip', 'run'))
) with (
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 1000
);
create index job_dependencies_parent_idx on millrace.job_dependencies (depends_on_id, job_id);

-- One row a run, whatever its end: what a tenant used. Outlives the job.
create table millrace.stored_usage_events (
  id             bigint constraint usage_events_id_not_null not null generated always as identity,
  tenant_id      uuid constraint usage_events_tenant_id_not_null not null,
  definition_id  uuid constraint usage_events_definition_id_not_null not null,
  job_id         uuid constraint usage_events_job_id_not_null not null,
  attempt_no     integer constraint usage_events_attempt_no_not_null not null,
  outcome        text constraint usage_events_outcome_not_null not null,
  wall_ms        integer constraint usage_events_wall_ms_not_null not null,
  cpu_ms         integer,
  created_at     timestamptz constraint usage_events_created_at_not_null not null default now(),
  constraint stored_usage_events_pkey primary key (tenant_id, created_at, id),
  constraint usage_events_outcome_check 
    check (outcome in ('succeeded', 'skipped', 'failed', 'timeout', 'canceled', 'lost', 'snoozed', 'handed_back'))
) with (
  autovacuum_vacuum_insert_scale_factor = 0.1,
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 10000
);

-- What people did, and when; never changed, never deleted by the program's own roles.
create table millrace.audit_log (
  id           uuid not null default uuidv7(),
  tenant_id    uuid not null,
  -- As jobs.created_by: `user:<sub>`, `key:<id>`, `system`, `sql:<login>`.
  actor        text not null,
  action       text not null,
  target_type  text not null,
  target_id    text,
  details      jsonb not null default '{}',
  created_at   timestamptz not null default now(),
  constraint audit_log_pkey primary key (id),
  constraint audit_log_action_check check (length(action) between 1 and 100),
  constraint audit_log_actor_check check (length(actor) between 1 and 300),
  constraint audit_log_target_id_check check (length(target_id) between 1 and 300),
  constraint audit_log_target_type_check check (length(target_type) between 1 and 100)
);
create index audit_log_tenant_idx on millrace.audit_log (tenant_id, id);

create table millrace.maintenance_leader (
  id          boolean not null default true,
  -- Random per process start; null while nobody has led yet.
  holder      text,
  -- Grows at each change of the leader.
  term        bigint not null default 0,
  expires_at  timestamptz not null default '-infinity'::timestamp with time zone,
  -- When somebody led, without a break in what that process saw of the database. A lease is judged by the time within them, so that workers
  -- which all live shorter than a lease get their dead predecessors' jobs back.
  renewed_at  timestamptz not null default '-infinity'::timestamp with time zone,
  reachable   tstzmultirange not null default '{}'::tstzmultirange,
  constraint maintenance_leader_pkey primary key (id),
  constraint maintenance_leader_id_check check (id)
) with (
  fillfactor = 10,
  autovacuum_vacuum_threshold = 200,
  autovacuum_vacuum_scale_factor = 0
);

-- The sums of whole hours, so that a year of a busy tenant is read from some thousand rows and not from its millions of runs.
create table millrace.usage_days (
  tenant_id      uuid not null,
  -- UTC.
  day            date not null,
  definition_id  uuid not null,
  outcome        text not null,
  runs           bigint not null,
  wall_ms        bigint not null,
  -- Of the runs whose CPU time is known, which `cpu_runs` counts.
  cpu_ms         bigint not null,
  cpu_runs       bigint not null,
  constraint usage_days_pkey primary key (tenant_id, day, definition_id, outcome)
);

-- Up to when usage_events are summed up in usage_days; later ones are read one by one.
create table millrace.usage_rollup (
  id            boolean not null default true,
  rolled_until  timestamptz not null,
  constraint usage_rollup_pkey primary key (id),
  constraint usage_rollup_id_check check (id)
);

create table millrace.job_log_lines (
  job_id     uuid not null,
  run_no     integer not null,
  line_no    integer not null,
  tenant_id  uuid not null,
  level      text not null,
  message    text not null,
  data       jsonb,
  -- By the database's clock, as the worker reckons it from the time of the claim.
  logged_at  timestamptz not null,
  constraint job_log_lines_pkey primary key (job_id, run_no, line_no),
  constraint job_log_lines_level_check check (level in ('debug', 'info', 'warn', 'error'))
) with (
  autovacuum_vacuum_insert_scale_factor = 0.1,
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_max_threshold = 100000,
  autovacuum_vacuum_cost_limit = 2000
);

-- Deleted jobs whose lines are still there. A job may have a hundred thousand, and 500 jobs are deleted by one statement: the lines
-- follow in small batches.
create table millrace.deleted_job_logs (
  job_id  uuid not null,
  constraint deleted_job_logs_pkey primary key (job_id)
) with (
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 1000
);

create table millrace.clips (
  id            uuid not null default uuidv7(),
  tenant_id     uuid not null,
  video_id      uuid not null,
  -- The job that makes it, or made it; null once that was deleted.
  job_id        uuid,
  -- What was asked for.
  t_start_ms    bigint not null,
  t_end_ms      bigint not null,
  padding_ms    bigint not null,
  -- `running` is written by nobody: whether its job runs is read from the job, as one write less at every claim.
  status        text not null default 'queued',
  object_key    text,
  size_bytes    bigint,
  sha256        text,
  -- What the clip really shows, within the video.
  start_ms      bigint,
  end_ms        bigint,
  width_px      integer,
  height_px     integer,
  error         jsonb,
  -- How long it is kept once it has ended; null for ever. Written at the request, since what ends it knows no configuration.
  kept_seconds  bigint,
  expires_at    timestamptz,
  created_by    text,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  version       bigint not null default 1,
  changed_xid   xid8 not null default pg_current_xact_id(),
  constraint clips_pkey primary key (id),
  constraint clips_tenant_id_video_id_t_start_ms_t_end_ms_padding_ms_key 
    unique (tenant_id, video_id, t_start_ms, t_end_ms, padding_ms),
  constraint clips_tenant_id_fkey foreign key (tenant_id) references millrace.tenants(id) on delete restrict,
  constraint clips_video_id_fkey foreign key (video_id) references millrace.videos(id) on delete restrict,
  constraint clips_check check (t_end_ms > t_start_ms),
  constraint clips_check1 check (end_ms >= start_ms),
  constraint clips_check2 
    check ((status <> 'ready') or ((object_key is not null) and (size_bytes is not null) and (sha256 is not null) and (start_ms is not null) and (end_ms is not null))),
  constraint clips_height_px_check check (height_px > 0),
  constraint clips_kept_seconds_check check (kept_seconds > 0),
  constraint clips_padding_ms_check check (padding_ms >= 0),
  constraint clips_sha256_check check (sha256 ~ '^[0-9a-f]{64}$'),
  constraint clips_size_bytes_check check (size_bytes >= 0),
  constraint clips_start_ms_check check (start_ms >= 0),
  constraint clips_status_check check (status in ('queued', 'running', 'ready', 'failed', 'expired')),
  constraint clips_t_start_ms_check check (t_start_ms >= 0),
  constraint clips_width_px_check check (width_px > 0)
);
create index clips_video_idx on millrace.clips (tenant_id, video_id, id);
create index clips_changed_xid_idx on millrace.clips (changed_xid);
-- Also for the foreign key, when jobs are deleted.
create index clips_job_idx on millrace.clips (job_id);
-- What the lifecycle looks at: it never meets those that have gone.
create index clips_expiry_idx on millrace.clips (expires_at) where status in ('ready', 'failed');
-- What a fresh subscription reads, newest first; videos have videos_history_idx.
create index clips_history_idx on millrace.clips (tenant_id, id);
create index clips_in_work_idx on millrace.clips (tenant_id, id) where status = 'queued';

-- One row a kept frame that has been read, written with its segments: what a run after a crash leaves out.
create table millrace.ocr_frames (
  tenant_id       uuid not null,
  video_id        uuid not null,
  frame_ms        bigint not null,
  -- SHA-256 of the manifest that the frame was kept by; another one means that the video was sampled anew.
  manifest_id     text not null,
  engine          text not null,
  engine_version  text not null,
  languages       text[] not null,
  min_confidence  real not null,
  segment_count   integer not null,
  read_at         timestamptz not null default now(),
  constraint ocr_frames_pkey primary key (tenant_id, video_id, frame_ms),
  constraint ocr_frames_tenant_id_fkey foreign key (tenant_id) references millrace.tenants(id) on delete restrict,
  constraint ocr_frames_video_id_fkey foreign key (video_id) references millrace.videos(id) on delete restrict,
  constraint ocr_frames_frame_ms_check check (frame_ms >= 0)
);

create table millrace.segments (
  id               uuid not null default uuidv7(),
  tenant_id        uuid not null,
  video_id         uuid not null,
  owner_id         text,
  team_id          text,
  -- The kept frame that shows it: its thumbnail.
  frame_ms         bigint not null,
  t_start          bigint not null,
  t_end            bigint not null,
  text             text not null,
  -- Lower case, one space between words.
  normalized_text  text not null,
  -- SHA-256 of normalized_text, in hex.
  text_hash        text not null,
  -- 0 to 1.
  confidence       real not null,
  language         text not null,
  -- {x, y, width, height}
  bounding_box     jsonb not null,
  -- [{text, confidence, x, y, width, height}], in reading order.
  words            jsonb not null default '[]'::jsonb,
  -- Null as the reader of frames wrote it; set once segment_index has merged it.
  indexed_at       timestamptz,
  created_at       timestamptz not null default now(),
  constraint segments_pkey primary key (id),
  constraint segments_tenant_id_fkey foreign key (tenant_id) references millrace.tenants(id) on delete restrict,
  constraint segments_video_id_fkey foreign key (video_id) references millrace.videos(id) on delete restrict,
  constraint segments_check check (t_end >= t_start),
  constraint segments_confidence_check 
    check ((confidence >= (0)::double precision) and (confidence <= (1)::double precision)),
  constraint segments_frame_ms_check check (frame_ms >= 0),
  constraint segments_t_start_check check (t_start >= 0)
);
create index segments_video_idx on millrace.segments (tenant_id, video_id, t_start, id);

create table millrace.entities (
  id                uuid not null default uuidv7(),
  tenant_id         uuid not null,
  video_id          uuid not null,
  segment_id        uuid not null,
  entity_type       text not null,
  -- Of a number: what kind of one.
  subtype           text,
  value             text not null,
  normalized_value  text not null,
  -- Of a url.
  domain            text,
  -- Of a number, and of a price its currency (ISO 4217).
  amount            numeric,
  currency          text,
  constraint entities_pkey primary key (id),
  constraint entities_segment_id_fkey foreign key (segment_id) references millrace.segments(id) on delete cascade,
  constraint entities_tenant_id_fkey foreign key (tenant_id) references millrace.tenants(id) on delete restrict,
  constraint entities_video_id_fkey foreign key (video_id) references millrace.videos(id) on delete restrict,
  constraint entities_check check ((entity_type = 'number') = (subtype is not null)),
  constraint entities_entity_type_check check (entity_type in ('mention', 'hashtag', 'url', 'emoji', 'number')),
  constraint entities_subtype_check check (subtype in ('price', 'phone', 'count', 'percent', 'plain'))
);
create index entities_segment_idx on millrace.entities (segment_id);

-- One row a segment, written by refresh_search_materialized(). It comes and goes with its segment, by the triggers below, and so
-- does all that follows here: the references are the segments' alone.
create table millrace.search_materialized (
  segment_id  uuid not null,
  tenant_id   uuid not null,
  video_id    uuid not null,
  t_start     bigint not null,
  t_end       bigint not null,
  confidence  real not null,
  language    text not null,
  -- Words by their place in the line, and without a place what was recognised: `@name`, `#tag`, `site:example.com`, `lang:eng`,
  -- `price:EUR:23`. Each begins with the tenant's mark, so that no tenant's common words lengthen another's search.
  tsv         tsvector not null,
  constraint search_materialized_pkey primary key (segment_id)
);
-- Newest videos first, each as a stretch of its own.
create index search_materialized_video_idx on millrace.search_materialized (tenant_id, video_id, t_start, segment_id);
-- Without a list of pending entries: a search would read all of it, however rare its words.
create index search_materialized_tsv_idx on millrace.search_materialized using gin (tsv) with (fastupdate=off);

-- Segments that have changed since they were last written into search_materialized.
create table millrace.search_pending (
  tenant_id   uuid not null,
  video_id    uuid not null,
  segment_id  uuid not null,
  constraint search_pending_pkey primary key (tenant_id, video_id, segment_id)
);

-- How many segments of a video are searched: what a look through it costs.
create table millrace.search_videos (
  tenant_id      uuid not null,
  video_id       uuid not null,
  segment_count  integer not null,
  constraint search_videos_pkey primary key (tenant_id, video_id)
);

-- How many segments of a tenant have a word; the empty word: how many there are. Several rows of one word add up: who finds them
-- all held by others writes one of their own, so that nobody ever waits for a common word.
create table millrace.search_words (
  id             bigint not null generated always as identity,
  tenant_id      uuid not null,
  word           text not null,
  segment_count  integer not null,
  -- What it has in common with the words one letter away, and with those that a reader of pictures takes for it.
  typo_keys      bigint[] not null,
  -- Words that look alike but for their ends: `lvanov` begins as `Ivan` does.
  shape          text not null,
  constraint search_words_pkey primary key (id)
) with (
  fillfactor = 80
);
create index search_words_word_idx on millrace.search_words (tenant_id, word);
create index search_words_typo_idx on millrace.search_words using gin (typo_keys) with (fastupdate=off);
create index search_words_shape_idx on millrace.search_words (tenant_id, shape);

create table millrace.uploads (
  id            uuid not null default uuidv7(),
  tenant_id     uuid not null,
  video_id      uuid not null,
  -- What the client declared; the upload has ended when so many bytes are there.
  size_bytes    bigint not null,
  content_type  text,
  -- The client's `Upload-Metadata`, given back as it came.
  metadata      text not null default '',
  -- What the store's driver has to remember between two pieces.
  store_state   jsonb not null default '{}',
  -- Who adds bytes to it just now, and until when that is believed; another holder takes its place afterwards.
  held_by       uuid,
  held_until    timestamptz,
  -- Somebody else waits for it: the holder stops at its next renewal.
  is_wanted     boolean not null default false,
  completed_at  timestamptz,
  expires_at    timestamptz not null,
  created_at    timestamptz not null default now(),
  constraint uploads_pkey primary key (id),
  constraint uploads_video_id_key unique (video_id),
  constraint uploads_tenant_id_fkey foreign key (tenant_id) references millrace.tenants(id) on delete restrict,
  constraint uploads_video_id_fkey foreign key (video_id) references millrace.videos(id) on delete restrict,
  constraint uploads_check check ((held_by is null) = (held_until is null)),
  constraint uploads_size_bytes_check check (size_bytes > 0)
);
create index uploads_tenant_idx on millrace.uploads (tenant_id);
-- What the maintenance looks at.
create index uploads_expiry_idx on millrace.uploads (expires_at);

create table millrace.tenant_jobs (
  tenant_id  uuid not null,
  -- A UUIDv7: in the order in which they were put in.
  job_id     uuid not null,
  constraint tenant_jobs_pkey primary key (tenant_id, job_id)
) with (
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.1,
  autovacuum_analyze_scale_factor = 0.05
);

create table millrace.video_puts (
  video_id      uuid not null,
  tenant_id     uuid not null,
  -- Of the PUT that is running: what it may write at most.
  size_bytes    bigint not null,
  -- Of the last one that ended well, until the video's upload is completed.
  stored_bytes  bigint not null default 0,
  held_by       uuid,
  held_until    timestamptz,
  constraint video_puts_pkey primary key (video_id),
  constraint video_puts_tenant_id_fkey foreign key (tenant_id) references millrace.tenants(id) on delete restrict,
  constraint video_puts_video_id_fkey foreign key (video_id) references millrace.videos(id) on delete cascade,
  constraint video_puts_check check ((held_by is null) = (held_until is null)),
  constraint video_puts_size_bytes_check check (size_bytes >= 0),
  constraint video_puts_stored_bytes_check check (stored_bytes >= 0)
);
create index video_puts_tenant_idx on millrace.video_puts (tenant_id);

-- Traces of deleted videos and clips, for as long as cursors live: the feed reports to watchers that they are gone.
create table millrace.media_tombstones (
  id           uuid not null,
  kind         text not null,
  tenant_id    uuid not null,
  -- Of a clip: the video that it was a piece of.
  video_id     uuid,
  created_by   text,
  deleted_at   timestamptz not null default now(),
  changed_xid  xid8 not null default pg_current_xact_id(),
  constraint media_tombstones_pkey primary key (id),
  constraint media_tombstones_kind_check check (kind in ('video', 'clip'))
);
create index media_tombstones_changed_xid_idx on millrace.media_tombstones (changed_xid);
create index media_tombstones_deleted_idx on millrace.media_tombstones (deleted_at);

create table millrace.deleted_media (
  id             uuid not null,
  kind           text not null,
  tenant_id      uuid not null,
  video_id       uuid not null,
  -- Of a video.
  original_key   text,
  -- Of an upload in pieces that was under way.
  upload_state   jsonb,
  deleted_at     timestamptz not null default clock_timestamp(),
  next_sweep_at  timestamptz not null default clock_timestamp(),
  constraint deleted_media_pkey primary key (id),
  constraint deleted_media_tenant_id_fkey foreign key (tenant_id) references millrace.tenants(id) on delete restrict,
  constraint deleted_media_check check ((kind = 'video') = (original_key is not null)),
  constraint deleted_media_kind_check check (kind in ('video', 'clip'))
);
create index deleted_media_sweep_idx on millrace.deleted_media (next_sweep_at);
create index deleted_media_tenant_idx on millrace.deleted_media (tenant_id);

-- Owns global jobs (scanner, retention); only super_admin sees it.
insert into millrace.tenants (id, slug, name) values ('00000000-0000-0000-0000-000000000000', 'system', 'System');
-- There is always one row of each.
insert into millrace.maintenance_leader default values;
insert into millrace.usage_rollup (rolled_until) values (date_trunc('hour', now()));

CREATE OR REPLACE FUNCTION millrace.bad_job_label(p_tags text[], p_metadata jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ((cardinality(p_tags) > 20) OR (array_ndims(p_tags) > 1) OR (EXISTS (SELECT FROM unnest(bad_job_label.p_tags) t(tag) WHERE ((t.tag IS NULL) OR ((length(t.tag) < 1) OR (length(t.tag) > 64)))))) THEN 'tags'::text WHEN ((jsonb_typeof(p_metadata) <> 'object'::text) OR (pg_column_size(p_metadata) > 65536)) THEN 'metadata'::text ELSE NULL::text END;

CREATE OR REPLACE FUNCTION millrace.bad_job_value(p_source text, p_priority integer, p_dedupe_key text, p_correlation_id text, p_subject_type text, p_subject_id text, p_max_attempts integer, p_timeout_seconds integer, p_pending_dependencies integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (p_source <> ALL (ARRAY['manual'::text, 'event'::text, 'schedule'::text, 'system'::text])) THEN 'source'::text WHEN ((p_priority < 0) OR (p_priority > 1000000)) THEN 'priority'::text WHEN ((length(p_dedupe_key) < 1) OR (length(p_dedupe_key) > 1024)) THEN 'dedupe_key'::text WHEN ((length(p_correlation_id) < 1) OR (length(p_correlation_id) > 255)) THEN 'correlation_id'::text WHEN ((length(p_subject_type) < 1) OR (length(p_subject_type) > 100)) THEN 'subject_type'::text WHEN ((length(p_subject_id) < 1) OR (length(p_subject_id) > 255)) THEN 'subject_id'::text WHEN ((p_max_attempts < 1) OR (p_max_attempts > 1000)) THEN 'max_attempts'::text WHEN ((p_timeout_seconds < 1) OR (p_timeout_seconds > 604800)) THEN 'timeout_seconds'::text WHEN (p_pending_dependencies < 0) THEN 'pending_dependencies'::text WHEN ((p_subject_type IS NULL) <> (p_subject_id IS NULL)) THEN 'subject'::text ELSE NULL::text END;

CREATE OR REPLACE FUNCTION millrace.begin_runs(p_ids uuid[], p_worker_id text, p_token uuid, p_at timestamp with time zone, p_ahead_ids uuid[])
 RETURNS SETOF millrace.claimed_job
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_definition    uuid;
  v_lease_seconds float8;
begin
  select d.id, d.lease_seconds into v_definition, v_lease_seconds
  from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
  where j.id = p_ids[1];
  return query
  update millrace.jobs as j
  set status = 'running',
      run_no = j.run_no + 1,
      lease_token = p_token,
      lease_expires_at = clock_timestamp() + make_interval(secs =>
        case when j.definition_id = v_definition then v_lease_seconds
             else (select d.lease_seconds from millrace.job_definitions d where d.id = j.definition_id) end),
      claimed_by_worker = p_worker_id,
      claimed_at = p_at,
      -- Those claimed ahead start later; their settlement says when.
      started_at = case when j.definition_id = any (p_ahead_ids) then null else p_at end,
      version = j.version + 1,
      changed_xid = pg_current_xact_id()
  where j.id = any (p_ids)
  returning j.id, j.tenant_id, j.definition_id, j.payload, j.priority, millrace.epoch_us(j.scheduled_for),
    millrace.epoch_us(j.queued_at), j.started_at is not null, j.run_no, j.max_attempts, j.version, j.created_by,
    case when j.source <> 'manual' or j.attempt_count + j.lost_lease_count + j.snooze_count > 0
           -- Tests for null, which stop at the first that is none: counting them is a function with ten arguments.
           or j.source_ref is not null or j.dedupe_key is not null or j.correlation_id is not null or j.subject_type is not null
           or j.requested_for is not null or j.expires_at is not null or j.timeout_seconds is not null
           or j.cancel_requested_at is not null or j.last_error is not null or j.reason is not null
         then jsonb_strip_nulls(jsonb_build_object(
           'source', j.source, 'sourceRef', j.source_ref, 'dedupeKey', j.dedupe_key, 'correlationId', j.correlation_id,
           'subjectType', j.subject_type, 'subjectId', j.subject_id, 'requestedUs', millrace.epoch_us(j.requested_for),
           'attemptCount', j.attempt_count, 'lostLeaseCount', j.lost_lease_count, 'snoozeCount', j.snooze_count,
           'expiresUs', millrace.epoch_us(j.expires_at), 'timeoutSeconds', j.timeout_seconds,
           'cancelRequestedUs', millrace.epoch_us(j.cancel_requested_at), 'reason', j.reason))
           || jsonb_build_object('lastError', j.last_error)
    end;
end $function$;

CREATE OR REPLACE FUNCTION millrace.bury_clips()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  insert into millrace.media_tombstones (id, kind, tenant_id, video_id, created_by)
  select id, 'clip', tenant_id, video_id, created_by from gone
  on conflict (id) do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION millrace.bury_jobs()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_ids        constant uuid[] := array(select g.id from gone g);
  v_unfinished constant uuid[] := array(select g.id from gone g where g.status in ('queued', 'running'));
  v_dependents uuid[];
begin
  insert into millrace.job_tombstones
    (job_id, tenant_id, definition_id, subject_type, subject_id, correlation_id, created_by)
  select id, tenant_id, definition_id, subject_type, subject_id, correlation_id, created_by from gone
  on conflict (job_id) do nothing;
  -- What a tenant used outlives the job: what stood in the row is stored now.
  insert into millrace.stored_usage_events (tenant_id, definition_id, job_id, attempt_no, outcome, wall_ms, cpu_ms, created_at)
  select tenant_id, definition_id, id, run_no, status, wall_ms, cpu_ms, finished_at from gone
  where status = 'succeeded' and wall_ms is not null;
  if cardinality(v_unfinished) > 0 then
    v_dependents := array(select distinct d.job_id from millrace.job_dependencies d where d.depends_on_id = any (v_unfinished));
  end if;
  if cardinality(v_dependents) > 0 then
    perform from millrace.jobs j where j.id = any (v_dependents) order by j.id for no key update;
    -- As recount_dependencies does it, for parents that cannot be read any more.
    update millrace.jobs j
    set pending_dependencies = case when v.cancels or v.skips then 0 else v.pending end,
        cancel_requested_at = case when v.cancels or v.skips then clock_timestamp() else j.cancel_requested_at end,
        reason = case when v.cancels then 'parent_failed' when v.skips then 'skipped' else j.reason end,
        scheduled_for = case when v.cancels or v.skips or v.pending = 0 then greatest(j.scheduled_for, clock_timestamp())
                             else j.scheduled_for end,
        version = j.version + 1,
        changed_xid = pg_current_xact_id()
    from (
      select d.job_id as id,
             count(*) filter (where p.status in ('queued', 'running'))::integer as pending,
             bool_or(d.policy = 'cancel' and d.depends_on_id = any (v_unfinished)) as cancels,
             bool_or(d.policy = 'skip' and d.depends_on_id = any (v_unfinished)) as skips
      from millrace.job_dependencies d left join millrace.jobs p on p.id = d.depends_on_id
      where d.job_id = any (v_dependents)
      group by d.job_id
    ) v
    where j.id = v.id and j.status = 'queued' and j.pending_dependencies > 0;
  end if;
  delete from millrace.stored_attempts where job_id = any (v_ids);
  delete from millrace.job_progress where job_id = any (v_ids);
  delete from millrace.job_dependencies where job_id = any (v_ids);
  delete from millrace.job_dependencies where depends_on_id = any (v_ids);
  update millrace.artifacts set job_id = null where job_id = any (v_ids);
  update millrace.clips set job_id = null where job_id = any (v_ids);
  -- Rows that nobody ever writes again, so that they may be named by where they lie.
  delete from millrace.tenant_jobs where ctid = any (array(
    select x.ctid from gone g
    cross join lateral (select t.ctid from millrace.tenant_jobs t where t.tenant_id = g.tenant_id and t.job_id = g.id offset 0) x));
  insert into millrace.deleted_job_logs (job_id)
  select g.id from gone g where exists (select from millrace.job_log_lines l where l.job_id = g.id)
  on conflict (job_id) do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION millrace.bury_videos()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  insert into millrace.media_tombstones (id, kind, tenant_id, created_by)
  select id, 'video', tenant_id, owner_id from gone
  on conflict (id) do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION millrace.can_notify()
 RETURNS boolean
 LANGUAGE sql
 PARALLEL RESTRICTED
RETURN (pg_notification_queue_usage() < (0.5)::double precision);

CREATE OR REPLACE FUNCTION millrace.check_changed_job()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_bad_value constant text := millrace.bad_job_value(
    new.source, new.priority, new.dedupe_key, new.correlation_id, new.subject_type, new.subject_id, new.max_attempts,
    new.timeout_seconds, new.pending_dependencies);
begin
  if new.tenant_id <> old.tenant_id or new.definition_id <> old.definition_id or v_bad_value is not null then
    perform millrace.refuse_job(
      new.id,
      case when not exists (select from millrace.tenants t where t.id = new.tenant_id) then new.tenant_id end,
      case when not exists (select from millrace.job_definitions d where d.id = new.definition_id) then new.definition_id end,
      v_bad_value);
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION millrace.check_job_labels()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  perform millrace.refuse_job(new.id, null, null, millrace.bad_job_label(new.tags, new.metadata));
  return new;
end $function$;

CREATE OR REPLACE FUNCTION millrace.check_job_move()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if (old.status <> new.status and not (
        (old.status = 'queued' and new.status in ('running', 'canceled'))
     or (old.status = 'running' and new.status in ('succeeded', 'failed', 'dead_letter', 'canceled', 'queued'))
     or (old.status in ('failed', 'dead_letter', 'canceled') and new.status = 'queued')))
  -- Each claim is a new run; nothing else makes one, and none is given back.
  or new.run_no <> old.run_no + (case when old.status = 'queued' and new.status = 'running' then 1 else 0 end)
  or new.tenant_id <> old.tenant_id
  or new.id <> old.id
  or (old.status = 'succeeded' and (
        new.result is distinct from old.result
     or new.finished_at is distinct from old.finished_at
     or new.started_at is distinct from old.started_at
     or new.claimed_at is distinct from old.claimed_at
     or new.queued_at is distinct from old.queued_at
     or new.claimed_by_worker is distinct from old.claimed_by_worker
     or new.reason is distinct from old.reason
     or new.definition_id <> old.definition_id
     or new.lost_lease_count <> old.lost_lease_count
     or new.snooze_count <> old.snooze_count
     or new.attempt_count <> old.attempt_count
     or new.wall_ms is distinct from old.wall_ms
     or new.cpu_ms is distinct from old.cpu_ms))
  then
    raise exception 'job %: % (run %) -> % (run %) is not a legal move', old.id, old.status, old.run_no, new.status, new.run_no
      using errcode = 'check_violation', schema = 'millrace', table = 'jobs', constraint = 'jobs_legal_move';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION millrace.check_named_jobs()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_column text;
  v_job_id uuid;
begin
  foreach v_column in array tg_argv loop
    v_job_id := to_jsonb(new) ->> v_column;
    -- Held until the end of the transaction, as a foreign key does: who deletes the job meanwhile waits, and then finds this row.
    perform from millrace.jobs j where j.id = v_job_id for key share;
    if v_job_id is not null and not found then
      raise exception '% of % names job %, which does not exist', v_column, tg_table_name, v_job_id
        using errcode = 'foreign_key_violation', schema = 'millrace', table = tg_table_name, column = v_column;
    end if;
  end loop;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION millrace.check_new_jobs()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  perform millrace.refuse_job(
    f.id,
    case when not exists (select from millrace.tenants t where t.id = f.tenant_id) then f.tenant_id end,
    case when not exists (select from millrace.job_definitions d where d.id = f.definition_id) then f.definition_id end,
    coalesce(
      millrace.bad_job_value(f.source, f.priority, f.dedupe_key, f.correlation_id, f.subject_type, f.subject_id, f.max_attempts,
                             f.timeout_seconds, f.pending_dependencies),
      millrace.bad_job_label(f.tags, f.metadata)))
  from fresh f;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION millrace.claim_jobs(p_worker_id text, p_definition_ids uuid[], p_limit integer, p_ahead integer, p_ahead_ids uuid[], p_after_tenant uuid, p_after_definition uuid, p_credit integer, p_max_lanes integer, p_mark_tenants uuid[], p_mark_definitions uuid[], p_mark_priorities integer[], p_mark_us bigint[], p_mark_ids uuid[], p_mark_full boolean[], p_is_alone boolean)
 RETURNS SETOF millrace.claimed_job
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_at        timestamptz;
  v_token     uuid;
  v_ahead_ids uuid[];
  v_slots     integer;
  v_wanted    integer;
  v_served    uuid[];
  v_lanes     millrace.claim_lane[];
  v_lane      millrace.claim_lane;
  v_tenant    uuid;                                             -- the lone lane
  v_definition uuid;
  v_weight    integer;
  v_is_marked boolean;
  v_ids       uuid[];
  v_most      integer;                                          -- jobs of the lane that may be claimed
  v_turn      integer;                                          -- of the lane, each time anew …
  v_rest      integer;                                          -- … and what it has left of the one before
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'millrace.claim_jobs was called in a % transaction, allowed: read committed',
      current_setting('transaction_isolation') using errcode = 'invalid_transaction_state';
  end if;
  select case when p_ahead > 0 then coalesce(p_ahead_ids, '{}') else '{}' end, least(greatest(p_limit, 0), 500)
  into v_ahead_ids, v_slots;
  v_wanted := v_slots + case when cardinality(v_ahead_ids) > 0 then least(p_ahead, 500 - v_slots) else 0 end;
  if v_wanted <= 0 then
    return;
  end if;
  select array_agg(d.id order by d.id) into v_served
  from millrace.job_definitions d
  where d.id = any (p_definition_ids) and d.paused_at is null
    and (v_slots > 0 or d.id = any (v_ahead_ids))
    and (num_nulls(d.max_running, d.rate_limit_count) = 2
         or millrace.has_room('definition', null, d.id, d.max_running, d.rate_limit_count, d.rate_limit_period_seconds));
  if v_served is null then
    return;
  end if;

  if p_is_alone then
    select clock_timestamp(), gen_random_uuid() into v_at, v_token;
    -- Most often it is still the lane of the last claim. Looked at by itself, since finding the lanes is a third of a claim of one
    -- job: unlimited, not paused, and no entry of the index before or behind it.
    select t.weight, cardinality(p_mark_tenants) > 0 into v_weight, v_is_marked
    from millrace.tenants t
    join millrace.job_definitions d on d.id = p_after_definition
    left join millrace.lane_limits q on q.tenant_id = t.id and q.definition_id = d.id
    where t.id = p_after_tenant and t.paused_at is null and t.deleted_at is null and d.id = any (v_served)
      and num_nonnulls(d.max_running, d.rate_limit_count, d.max_running_per_tenant, d.rate_limit_per_tenant_count,
                       t.max_running, t.rate_limit_count, q.max_running, q.rate_limit_count) = 0
      and p_after_tenant = all (p_mark_tenants) and p_after_definition = all (p_mark_definitions)
      and (select true from millrace.jobs j
           where j.status = 'queued' and j.pending_dependencies = 0
             and (j.tenant_id, j.definition_id) < (p_after_tenant, p_after_definition)
           order by j.tenant_id, j.definition_id limit 1) is null
      and (select true from millrace.jobs j
           where j.status = 'queued' and j.pending_dependencies = 0
             and (j.tenant_id, j.definition_id) > (p_after_tenant, p_after_definition)
           order by j.tenant_id, j.definition_id limit 1) is null;
    if v_weight is not null then
      v_tenant := p_after_tenant;
      v_definition := p_after_definition;
    else
      v_lanes := millrace.find_lanes(
        '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000',
        'ffffffff-ffff-ffff-ffff-ffffffffffff', 'ffffffff-ffff-ffff-ffff-ffffffffffff',
        v_served, v_ahead_ids, v_slots = 0, 2, p_mark_tenants, p_mark_definitions);
      if cardinality(v_lanes) = 0 then
        return next millrace.end_of_claim(v_token, v_at, p_after_tenant, p_after_definition, p_credit, true, false);
        return;
      end if;
      v_lane := v_lanes[1];
      if cardinality(v_lanes) = 1 and not v_lane.is_limited then
        v_tenant := v_lane.tenant_id;
        v_definition := v_lane.definition_id;
        v_weight := v_lane.weight;
        v_is_marked := v_lane.is_marked;
      end if;
    end if;
  end if;

  if v_tenant is not null then
    v_most := case when v_definition = any (v_ahead_ids) then v_wanted else least(v_wanted, v_slots) end;
    if v_is_marked then
      v_ids := millrace.pick_after_marks(v_tenant, v_definition, v_at, v_most, p_mark_tenants, p_mark_definitions,
                                         p_mark_priorities, p_mark_us, p_mark_ids, p_mark_full);
    else
      select coalesce(array_agg(p.id), '{}') into v_ids
      from (
        select j.id from millrace.jobs j
        where j.tenant_id = v_tenant and j.definition_id = v_definition
          and j.status = 'queued' and j.pending_dependencies = 0 and j.scheduled_for <= v_at
        order by j.priority, j.scheduled_for, j.id
        limit v_most
        for no key update skip locked
      ) p;
    end if;
    if cardinality(v_ids) > 0 then
      return query select * from millrace.begin_runs(v_ids, p_worker_id, v_token, v_at, v_ahead_ids);
    end if;
    -- What is left of its turn stays its own, as in the walk: other lanes may have jobs by the next claim.
    v_turn := v_weight * ceil(v_wanted::numeric / p_max_lanes)::integer;
    v_rest := case when p_after_tenant = v_tenant and p_after_definition = v_definition then p_credit else 0 end;
    v_rest := case
      when cardinality(v_ids) < v_most then 0
      when v_most <= v_rest then v_rest - v_most
      when (v_most - v_rest) % v_turn = 0 then 0
      else v_turn - (v_most - v_rest) % v_turn end;
    return next millrace.end_of_claim(v_token, v_at, v_tenant, v_definition, v_rest, true, false);
    return;
  end if;
  return query select * from millrace.claim_lanes(
    p_worker_id, v_served, v_slots, v_wanted, v_ahead_ids, p_after_tenant, p_after_definition, p_credit, p_max_lanes,
    p_mark_tenants, p_mark_definitions, p_mark_priorities, p_mark_us, p_mark_ids, p_mark_full);
end $function$;

CREATE OR REPLACE FUNCTION millrace.claim_lanes(p_worker_id text, p_served uuid[], p_slots integer, p_wanted integer, p_ahead_ids uuid[], p_after_tenant uuid, p_after_definition uuid, p_credit integer, p_max_lanes integer, p_mark_tenants uuid[], p_mark_definitions uuid[], p_mark_priorities integer[], p_mark_us bigint[], p_mark_ids uuid[], p_mark_full boolean[])
 RETURNS SETOF millrace.claimed_job
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  c_first constant uuid := '00000000-0000-0000-0000-000000000000';
  c_last  constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  v_at        timestamptz := clock_timestamp();
  v_token     constant uuid := gen_random_uuid();
  v_slots     integer := p_slots;                               -- left for lanes that are not claimed ahead
  v_left      integer := p_wanted;                              -- left in all
  v_quantum   integer;                                          -- jobs a turn for a weight of 1
  v_served    uuid[] := p_served;
  v_from_t    uuid; v_from_d uuid;                              -- where the walk began
  v_seek_t    uuid; v_seek_d uuid;                              -- where it goes on
  v_end_t     uuid := c_last; v_end_d uuid := c_last;           -- before which this stretch ends
  v_wrapped   boolean := p_after_tenant is null;
  v_is_round  boolean := false;                                 -- all lanes are known
  v_wanted    integer;
  v_found     millrace.claim_lane[];
  v_lanes     millrace.claim_lane[] := '{}';
  v_lane      millrace.claim_lane;
  v_open      boolean[] := '{}';                                -- it gave all that it was asked for: it may have more
  v_shares    integer[];
  v_turn      integer;
  v_share     integer;
  v_total     integer;
  v_spare     integer;
  v_last      integer := 0;                                     -- the last lane that had a turn …
  v_credit    integer := 0;                                     -- … and what it has left of it
  v_room      integer;
  v_is_ahead  boolean;
  v_pick      uuid[];                                           -- of this lane, or of all lanes of this turn
  v_is_plain  boolean;                                          -- all lanes may be read in one statement
  v_most      integer;
  v_opens     boolean[];
  v_latest    integer;
  v_credits   integer[];
  v_ids       uuid[] := '{}';                                   -- locked and not updated yet
  v_carried   integer;                                          -- what the first lane has left of the turn before
  v_next      integer;
  v_rounds    integer;
  v_begin     integer;
  v_is_even   boolean;
  v_is_stepwise boolean;
  v_turns     integer;                                          -- rounds at a time for limited lanes
  v_weight    integer;                                          -- of all limited lanes
  v_gate      integer;
  v_least_room integer;
  v_count     integer;
  v_is_contended boolean := false;
  n           integer;
  i           integer;
begin
  -- The same for all lanes of a claim, so that shares follow the weights; large enough that few lanes are visited.
  v_quantum := ceil(v_left::numeric / p_max_lanes)::integer;
  -- A lane that has used up its turn is the last of this round, one that has some of it left the first.
  v_from_t := coalesce(p_after_tenant, c_first);
  v_from_d := case
    when p_after_tenant is null then c_first
    when p_credit > 0 then p_after_definition
    else coalesce((select s from unnest(v_served) s where s > p_after_definition order by s limit 1), c_last) end;
  v_seek_t := v_from_t; v_seek_d := v_from_d;

  while v_left > 0 and not v_is_round and cardinality(v_served) > 0 loop
    -- A stretch of lanes; past the end of the index on from its beginning, up to where this claim began.
    v_wanted := least(p_max_lanes, v_left);
    v_found := millrace.find_lanes(v_seek_t, v_seek_d, v_end_t, v_end_d, v_served, p_ahead_ids, v_slots = 0, v_wanted,
                                   p_mark_tenants, p_mark_definitions);
    if cardinality(v_found) < v_wanted and not v_wrapped then
      v_wrapped := true;
      v_end_t := v_from_t; v_end_d := v_from_d;
      v_found := v_found || millrace.find_lanes(c_first, c_first, v_end_t, v_end_d, v_served, p_ahead_ids, v_slots = 0,
                                                v_wanted - cardinality(v_found), p_mark_tenants, p_mark_definitions);
    end if;
    v_is_round := cardinality(v_found) < v_wanted;
    if not v_is_round then
      v_lane := v_found[v_wanted];
      v_seek_t := v_lane.tenant_id;
      v_seek_d := coalesce((select s from unnest(v_served) s where s > v_lane.definition_id order by s limit 1), c_last);
    end if;
    v_next := cardinality(v_lanes) + 1;
    v_lanes := v_lanes || v_found;
    n := cardinality(v_lanes);
    v_is_plain := not exists (select from unnest(v_lanes) l where l.is_limited or l.is_marked)
                  and (select count(distinct l.definition_id = any (p_ahead_ids)) from unnest(v_lanes) l) = 1;
    v_open := v_open || array_fill(true, array[cardinality(v_found)]);
    exit when n = 0;
    v_lane := v_lanes[1];
    v_carried := case when v_last = 0 and v_lane.tenant_id = p_after_tenant and v_lane.definition_id = p_after_definition
                      then p_credit else 0 end;

    loop
      -- While lanes may follow, each new one has one turn. When all are known they have turns in rounds: reckoned out at once
      -- where nothing is limited, so that each lane is looked at once; step by step where the room of one lane may be that of
      -- another, or the first would always take it all.
      v_begin := 0;
      v_is_stepwise := true;
      if v_is_round then
        v_total := 0; v_is_stepwise := false; v_weight := 0;
        for i in 1..n loop
          v_lane := v_lanes[i];
          continue when not v_open[i];
          v_total := v_total + v_lane.weight * v_quantum;
          if v_lane.is_limited then
            v_is_stepwise := true;
            v_weight := v_weight + v_lane.weight;
          end if;
        end loop;
        exit when v_total = 0;
        v_next := 1;
        if v_is_stepwise then
          v_begin := v_last;
          -- As many turns as every limit seen has room for them all.
          v_turns := greatest(1, coalesce(v_least_room, 0) / greatest(v_weight, 1));
          v_least_room := null;
        else
          v_shares := array_fill(0, array[n]);
          v_spare := v_left;
          if v_carried > 0 then
            v_last := 1;
            v_share := least(v_carried, v_spare);
            v_shares[1] := v_share;
            v_spare := v_spare - v_share;
            v_credit := v_carried - v_share;
          end if;
          v_rounds := v_spare / v_total;
          v_is_even := v_rounds > 0 and v_spare = v_rounds * v_total;
          v_begin := v_last;
          for k in 1..n loop
            i := (v_begin + k - 1) % n + 1;
            v_lane := v_lanes[i];
            continue when not v_open[i];
            v_turn := v_lane.weight * v_quantum;
            v_share := least(v_turn, v_spare - v_rounds * v_total);
            v_shares[i] := v_shares[i] + v_rounds * v_turn + v_share;
            v_spare := v_spare - v_share;
            if v_share > 0 or v_is_even then
              v_last := i; v_credit := v_turn - case when v_is_even then v_turn else v_share end;
            end if;
          end loop;
          v_begin := 0;
          v_carried := 0;
        end if;
      end if;

      if v_is_plain then
        -- Each lane its turn or share, in their order, until enough is found: the LIMIT around them stops the reading.
        v_is_ahead := (v_lanes[1]).definition_id = any (p_ahead_ids);
        v_most := case when v_is_ahead then v_left else least(v_left, v_slots) end;
        with asked as materialized (
          select l.ordinality::integer as n, l.tenant_id, l.definition_id,
                 case when not v_is_stepwise then v_shares[l.ordinality]
                      when l.ordinality = 1 and v_carried > 0 then v_carried
                      else l.weight * v_quantum end as turn
          from unnest(v_lanes) with ordinality l
          where l.ordinality >= v_next
        ), picked as materialized (
          select j.id, a.n
          from asked a
          cross join lateral (
            select j.id from millrace.jobs j
            where j.tenant_id = a.tenant_id and j.definition_id = a.definition_id
              and j.status = 'queued' and j.pending_dependencies = 0 and j.scheduled_for <= v_at
            order by j.priority, j.scheduled_for, j.id
            limit a.turn
            for no key update skip locked
          ) j
          limit v_most
        ), given as (
          select a.n, a.turn, coalesce(c.count, 0) as count,
                 coalesce(sum(c.count) over (order by a.n rows between unbounded preceding and 1 preceding), 0) as before
          from asked a left join (select p.n, count(*) from picked p group by p.n) c on c.n = a.n
        )
        select (select coalesce(array_agg(p.id), '{}') from picked p),
               array_agg(v_open[g.n] and g.count = least(g.turn, v_left - g.before) order by g.n),
               max(g.n) filter (where g.before < v_most),
               array_agg(case when g.count = least(g.turn, v_most - g.before) then g.turn - g.count else 0 end order by g.n)
        into v_pick, v_opens, v_latest, v_credits
        from given g;

        v_open := v_open[1:v_next - 1] || v_opens;
        if v_is_stepwise then
          -- As below: what a lane that was cut short has left of its turn stays its own.
          if v_latest is not null then
            v_last := v_latest;
            v_credit := v_credits[v_last - v_next + 1];
          end if;
        elsif not v_open[v_last] then
          v_credit := 0;
        end if;
        v_count := cardinality(v_pick);
        v_ids := v_ids || v_pick;
        v_left := v_left - v_count;
        if not v_is_ahead then
          v_slots := v_slots - v_count;
        end if;
      else
        for k in v_next..n loop
          i := (v_begin + k - 1) % n + 1;
          v_lane := v_lanes[i];
          if not v_lane.definition_id = any (v_served) then
            v_open[i] := false;
          end if;
          continue when not v_open[i];
          if v_is_stepwise then
            v_turn := case
              when i = 1 and v_carried > 0 then v_carried
              when not v_lane.is_limited then v_lane.weight * v_quantum
              when v_is_round then v_lane.weight * v_turns
              else v_lane.weight end;
            v_carried := 0;
            v_share := least(v_turn, v_left);
          else
            v_share := v_shares[i];
            continue when v_share = 0;
          end if;
          v_wanted := v_share;
          v_is_ahead := not v_lane.is_limited and v_lane.definition_id = any (p_ahead_ids);
          if not v_is_ahead then
            v_share := least(v_share, v_slots);
          end if;

          v_room := null;
          if v_lane.is_limited and v_share > 0 then
            -- One fixed order: definition, tenant, lane.
            v_room := 500;
            if num_nulls(v_lane.definition_max, v_lane.definition_rate) < 2 then
              v_gate := millrace.enter_gate('definition', null, v_lane.definition_id,
                                            v_lane.definition_max, v_lane.definition_rate, v_lane.definition_period);
              v_room := least(v_room, coalesce(v_gate, 0));
              v_is_contended := v_is_contended or v_gate is null;
              if v_room <= 0 then
                v_served := array_remove(v_served, v_lane.definition_id);
              end if;
            end if;
            if v_room > 0 and num_nulls(v_lane.tenant_max, v_lane.tenant_rate) < 2 then
              v_gate := millrace.enter_gate('tenant', v_lane.tenant_id, null,
                                            v_lane.tenant_max, v_lane.tenant_rate, v_lane.tenant_period);
              v_room := least(v_room, coalesce(v_gate, 0));
              v_is_contended := v_is_contended or v_gate is null;
            end if;
            if v_room > 0 and num_nulls(v_lane.lane_max, v_lane.lane_rate) < 2 then
              v_gate := millrace.enter_gate('lane', v_lane.tenant_id, v_lane.definition_id,
                                            v_lane.lane_max, v_lane.lane_rate, v_lane.lane_period);
              v_room := least(v_room, coalesce(v_gate, 0));
              v_is_contended := v_is_contended or v_gate is null;
            end if;
            v_share := least(v_share, greatest(v_room, 0));
            -- Rates count by claimed_at: it must not lie before the gates were ours.
            v_at := clock_timestamp();
          end if;

          v_pick := '{}';
          if v_share > 0 then
            if v_lane.is_marked then
              v_pick := millrace.pick_after_marks(v_lane.tenant_id, v_lane.definition_id, v_at, v_share, p_mark_tenants,
                                                  p_mark_definitions, p_mark_priorities, p_mark_us, p_mark_ids, p_mark_full);
            else
              select coalesce(array_agg(p.id), '{}') into v_pick
              from (
                select j.id from millrace.jobs j
                where j.tenant_id = v_lane.tenant_id and j.definition_id = v_lane.definition_id
                  and j.status = 'queued' and j.pending_dependencies = 0 and j.scheduled_for <= v_at
                order by j.priority, j.scheduled_for, j.id
                limit v_share
                for no key update skip locked
              ) p;
            end if;
          end if;

          v_count := cardinality(v_pick);
          v_ids := v_ids || v_pick;
          v_left := v_left - v_count;
          if not v_is_ahead then
            v_slots := v_slots - v_count;
          end if;
          v_open[i] := v_count = v_wanted;
          if v_is_stepwise and v_share > 0 then
            -- What was cut short by a limit or by the slots still has the rest of its turn, what gave less than it was asked for has
            -- none. A lane that nothing could be given to has not had its turn: it is among the first of the next claim.
            v_last := i;
            v_credit := case when v_count = v_share then v_turn - v_count else 0 end;
          elsif not v_is_stepwise and i = v_last and not v_open[i] then
            v_credit := 0;
          end if;
          if v_lane.is_limited then
            v_least_room := least(v_least_room, v_room - v_count);
          end if;
          if v_lane.is_limited and v_count > 0 then
            if v_lane.definition_rate is not null then
              perform millrace.note_starts('definition', null, v_lane.definition_id, v_lane.definition_period, v_count, v_at);
            end if;
            if v_lane.tenant_rate is not null then
              perform millrace.note_starts('tenant', v_lane.tenant_id, null, v_lane.tenant_period, v_count, v_at);
            end if;
            if v_lane.lane_rate is not null then
              perform millrace.note_starts('lane', v_lane.tenant_id, v_lane.definition_id, v_lane.lane_period, v_count, v_at);
            end if;
          end if;

          -- Limited lanes at once, so that the next count sees them; all others together.
          if v_lane.is_limited and cardinality(v_ids) > 0 then
            return query select * from millrace.begin_runs(v_ids, p_worker_id, v_token, v_at, p_ahead_ids);
            v_ids := '{}';
          end if;
          exit when v_left = 0;
        end loop;
      end if;
      v_carried := 0;
      -- Before the next look at the same lanes: SKIP LOCKED does not skip our own locks.
      if cardinality(v_ids) > 0 then
        return query select * from millrace.begin_runs(v_ids, p_worker_id, v_token, v_at, p_ahead_ids);
        v_ids := '{}';
      end if;
      exit when not v_is_round or v_left = 0 or not true = any (v_open);
    end loop;
  end loop;

  return next millrace.end_of_claim(
    v_token, v_at,
    case when v_last > 0 then (v_lanes[v_last]).tenant_id else p_after_tenant end,
    case when v_last > 0 then (v_lanes[v_last]).definition_id else p_after_definition end,
    case when v_last > 0 then v_credit else p_credit end,
    v_is_round and (n = 0 or (n = 1 and not (v_lanes[1]).is_limited)),
    v_is_contended);
end $function$;

CREATE OR REPLACE FUNCTION millrace.count_search_videos(p_tenant_id uuid, p_videos uuid[])
 RETURNS void
 LANGUAGE sql
BEGIN ATOMIC
 INSERT INTO millrace.search_videos AS v (tenant_id, video_id, segment_count)  SELECT count_search_videos.p_tenant_id AS p_tenant_id,
             c.video_id,
             count(*) AS count
            FROM unnest(count_search_videos.p_videos) c(video_id)
           GROUP BY c.video_id
           ORDER BY c.video_id ON CONFLICT(tenant_id, video_id) DO UPDATE SET segment_count = (v.segment_count + excluded.segment_count);
END;

CREATE OR REPLACE FUNCTION millrace.search_shape(p_word text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN translate(p_word, '01i5829qаеорсухіѕјкмтвнοικνραυτ'::text, 'ollsbzggaeopcyxlsjkmtbholkvpaut'::text);

CREATE OR REPLACE FUNCTION millrace.search_pair_shape(p_word text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN replace(replace(millrace.search_shape(p_word), 'rn'::text, 'm'::text), 'vv'::text, 'w'::text);

CREATE OR REPLACE FUNCTION millrace.search_typo_keys(p_tenant_id uuid, p_word text)
 RETURNS bigint[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
 SELECT COALESCE(array_agg(DISTINCT hashtextextended(k.key, hashtextextended((search_typo_keys.p_tenant_id)::text, (0)::bigint))), '{}'::bigint[]) AS "coalesce"
    FROM (( SELECT "left"(millrace.search_shape(search_typo_keys.p_word), 20) AS shape
         UNION
          SELECT "left"(millrace.search_pair_shape(search_typo_keys.p_word), 20) AS "left") s
      CROSS JOIN LATERAL ( SELECT s.shape AS key
         UNION ALL
          SELECT ("left"(s.shape, (i.i - 1)) || substr(s.shape, (i.i + 1)))
            FROM generate_series(1, length(s.shape)) i(i)
           WHERE ((length(s.shape) >= 4) AND (search_typo_keys.p_word !~ '[0-9]{2}'::text))) k)
   WHERE (search_typo_keys.p_word ~ '^[^@#:]{2,}$'::text);
END;

CREATE OR REPLACE FUNCTION millrace.count_search_words(p_tenant_id uuid, p_words text[], p_counts integer[])
 RETURNS void
 LANGUAGE sql
 SET enable_seqscan TO 'off'
BEGIN ATOMIC
 WITH change AS MATERIALIZED (
          SELECT c.word,
             (sum(c.n))::integer AS n
            FROM UNNEST(count_search_words.p_words, count_search_words.p_counts) c(word, n)
           GROUP BY c.word
          HAVING (sum(c.n) <> 0)
         ), held AS MATERIALIZED (
          SELECT c.word,
             h.id,
             (h.segment_count + c.n) AS segment_count
            FROM (change c
              CROSS JOIN LATERAL ( SELECT w.id,
                     w.segment_count
                    FROM millrace.search_words w
                   WHERE ((w.tenant_id = count_search_words.p_tenant_id) AND (w.word = c.word))
                  LIMIT 1
                  FOR UPDATE OF w SKIP LOCKED) h)
         ), changed AS (
          UPDATE millrace.search_words w SET segment_count = held.segment_count
            FROM held
           WHERE ((w.id = held.id) AND (held.segment_count <> 0))
         ), emptied AS (
          DELETE FROM millrace.search_words w
            USING held
           WHERE ((w.id = held.id) AND (held.segment_count = 0))
         )
  INSERT INTO millrace.search_words (tenant_id, word, segment_count, typo_keys, shape)  SELECT count_search_words.p_tenant_id AS p_tenant_id,
             c.word,
             c.n,
             millrace.search_typo_keys(count_search_words.p_tenant_id, c.word) AS search_typo_keys,
             millrace.search_shape(c.word) AS search_shape
            FROM change c
           WHERE (NOT (EXISTS ( SELECT
                    FROM held
                   WHERE (held.word = c.word))));
END;

CREATE OR REPLACE FUNCTION millrace.current_tenant_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('millrace.tenant_id'::text, true), ''::text))::uuid;

CREATE OR REPLACE FUNCTION millrace.end_doomed_jobs(p_limit integer)
 RETURNS TABLE(ended millrace.jobs, definition_key text, released boolean)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_level    uuid[];
  v_ended    uuid[] := '{}';
  v_released boolean := false;
begin
  select array_agg(d.id) into v_level
  from (select j.id from millrace.jobs j where j.status = 'queued' and j.cancel_requested_at is not null
        order by j.id limit p_limit for no key update skip locked) d;
  while v_level is not null and cardinality(v_ended) < p_limit loop
    v_level := v_level[1 : p_limit - cardinality(v_ended)];
    update millrace.jobs j
    set status = 'canceled', reason = coalesce(j.reason, 'canceled'), finished_at = clock_timestamp(),
        version = j.version + 1, changed_xid = pg_current_xact_id()
    where j.id = any (v_level);
    v_ended := v_ended || v_level;
    select array_agg(r.job_id order by r.job_id) filter (where r.action = 'doomed'),
           v_released or coalesce(bool_or(r.action = 'ready'), false)
    into v_level, v_released
    from millrace.release_dependents(v_level) r;
  end loop;
  return query
  select j, d.key, v_released from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
  where j.id = any (v_ended) order by j.id;
end $function$;

CREATE OR REPLACE FUNCTION millrace.epoch_us(p_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (round((date_part('epoch'::text, p_at) * (1000000)::double precision)))::bigint;

CREATE OR REPLACE FUNCTION millrace.end_of_claim(p_token uuid, p_at timestamp with time zone, p_tenant_id uuid, p_definition_id uuid, p_credit integer, p_is_alone boolean, p_is_contended boolean)
 RETURNS millrace.claimed_job
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN ROW(NULL::uuid, NULL::uuid, NULL::uuid, jsonb_build_object('token', p_token, 'claimedUs', millrace.epoch_us(p_at), 'tenantId', p_tenant_id, 'definitionId', p_definition_id, 'credit', p_credit, 'isAlone', p_is_alone, 'isContended', p_is_contended), NULL::integer, NULL::bigint, NULL::bigint, NULL::boolean, NULL::integer, NULL::integer, NULL::bigint, NULL::text, NULL::jsonb)::millrace.claimed_job;

CREATE OR REPLACE FUNCTION millrace.ended_badly(p_status text, p_reason text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((p_status = ANY (ARRAY['failed'::text, 'dead_letter'::text])) OR ((p_status = 'canceled'::text) AND (p_reason IS DISTINCT FROM 'skipped'::text)));

CREATE OR REPLACE FUNCTION millrace.enqueue(definition_key text, payload jsonb DEFAULT '{}'::jsonb, tenant text DEFAULT NULL::text, priority integer DEFAULT 100, scheduled_for timestamp with time zone DEFAULT NULL::timestamp with time zone, dedupe_key text DEFAULT NULL::text, dedupe_window_seconds integer DEFAULT NULL::integer, max_attempts integer DEFAULT NULL::integer, timeout_seconds integer DEFAULT NULL::integer, expires_at timestamp with time zone DEFAULT NULL::timestamp with time zone, depends_on uuid[] DEFAULT NULL::uuid[], dependency_policy text DEFAULT 'cancel'::text, correlation_id text DEFAULT NULL::text, subject_type text DEFAULT NULL::text, subject_id text DEFAULT NULL::text, source_ref text DEFAULT NULL::text, tags text[] DEFAULT NULL::text[], metadata jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(job_id uuid, kind text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET row_security TO 'on'
 SET lock_timeout TO '5s'
AS $function$
#variable_conflict use_column
declare
  c_epoch      constant timestamptz := '1970-01-01T00:00:00Z';
  c_end        constant timestamptz := '2200-01-01T00:00:00Z';
  v_now        constant timestamptz := clock_timestamp();
  v_worker     constant text := current_user;                       -- the owner
  v_api        constant text := regexp_replace(current_user, '_worker$', '_api');
  -- Who calls: SET ROLE, else the login. (current_user is the function's owner here.)
  v_caller     constant text := coalesce(nullif(current_setting('role'), 'none'), session_user);
  v_is_worker  constant boolean := pg_has_role(v_caller, v_worker, 'usage');
  v_own        constant uuid := millrace.current_tenant_id();
  v_max_bytes  constant integer := coalesce(nullif(current_setting('millrace.max_payload_bytes', true), ''), '1048576')::integer;
  v_definition record;
  v_tenant     record;
  v_bytes      integer;
  v_starts_at  timestamptz;
  v_pending    integer := 0;
  v_doom       text;
  v_parents    uuid[];
  v_found      integer;
  v_id         uuid;
begin
  -- The tenant: by id or slug, or the transaction's own. Where the transaction names one, or works as the API's role, no other.
  if enqueue.tenant is null then
    if v_own is null then
      perform millrace.refuse_argument('tenant', null, 'the slug or id of a tenant, or a transaction with millrace.tenant_id set');
    end if;
    select t.id, t.deleted_at into v_tenant from millrace.tenants t where t.id = v_own;
  elsif enqueue.tenant ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then
    select t.id, t.deleted_at into v_tenant from millrace.tenants t where t.id = enqueue.tenant::uuid;
  else
    select t.id, t.deleted_at into v_tenant from millrace.tenants t where t.slug = enqueue.tenant;
  end if;
  if (v_own is not null or (pg_has_role(v_caller, v_api, 'usage') and not v_is_worker)) and v_tenant.id is distinct from v_own then
    raise exception 'millrace.enqueue: tenant is not the one of this transaction' using errcode = 'insufficient_privilege', column = 'tenant',
      hint = 'The transaction''s tenant is its setting millrace.tenant_id; leave the argument away.';
  end if;
  if v_tenant.id is null or v_tenant.deleted_at is not null then
    raise exception 'millrace.enqueue: there is no tenant %, or it has been deleted',
      quote_literal(left(coalesce(enqueue.tenant, v_own::text), 80)) using errcode = 'undefined_object', column = 'tenant';
  end if;

  select d.id, d.is_active, d.max_attempts, d.enqueue_role into v_definition
  from millrace.job_definitions d where d.key = enqueue.definition_key;
  if v_definition.id is null then
    raise exception 'millrace.enqueue: there is no job definition %', coalesce(quote_literal(left(enqueue.definition_key, 100)), 'null')
      using errcode = 'undefined_object', column = 'definition_key';
  end if;
  if not v_definition.is_active then
    raise exception 'millrace.enqueue: job definition % is not active', enqueue.definition_key
      using errcode = 'object_not_in_prerequisite_state', column = 'definition_key';
  end if;
  if v_definition.enqueue_role = 'system' and not v_is_worker then
    raise exception 'millrace.enqueue: only Millrace itself enqueues %', enqueue.definition_key
      using errcode = 'insufficient_privilege', column = 'definition_key';
  end if;

  if enqueue.payload is null then
    perform millrace.refuse_argument('payload', null, 'JSON; {} by default');
  end if;
  v_bytes := octet_length(enqueue.payload::text);
  if v_bytes > v_max_bytes then
    raise exception 'millrace.enqueue: payload is % bytes of JSON; allowed: at most %', v_bytes, v_max_bytes
      using errcode = 'program_limit_exceeded', column = 'payload';
  end if;
  if enqueue.payload::text ~ '[0-9]{16}' then
    perform millrace.refuse_inexact_numbers(enqueue.payload);
  end if;
  if enqueue.priority is null or enqueue.priority not between 0 and 1000000 then
    perform millrace.refuse_argument('priority', enqueue.priority::text, '0 to 1000000');
  end if;
  if enqueue.max_attempts not between 1 and 1000 then
    perform millrace.refuse_argument('max_attempts', enqueue.max_attempts::text, '1 to 1000');
  end if;
  if enqueue.timeout_seconds not between 1 and 604800 then
    perform millrace.refuse_argument('timeout_seconds', enqueue.timeout_seconds::text, '1 to 604800');
  end if;
  if enqueue.scheduled_for < c_epoch or enqueue.scheduled_for >= c_end then
    perform millrace.refuse_argument('scheduled_for', enqueue.scheduled_for::text, 'a time from 1970 to before 2200');
  end if;
  v_starts_at := greatest(enqueue.scheduled_for, v_now);
  if enqueue.expires_at <= v_starts_at or enqueue.expires_at >= c_end then
    perform millrace.refuse_argument('expires_at', enqueue.expires_at::text, 'a time after now and after scheduled_for, before 2200');
  end if;
  if length(enqueue.dedupe_key) not between 1 and 1024 or octet_length(enqueue.dedupe_key) > 2600 then
    perform millrace.refuse_argument('dedupe_key', enqueue.dedupe_key, '1 to 1024 characters, at most 2600 bytes');
  end if;
  if starts_with(enqueue.dedupe_key, 'millrace:') and not v_is_worker then
    perform millrace.refuse_argument('dedupe_key', enqueue.dedupe_key, 'a key that does not begin with "millrace:"');
  end if;
  if enqueue.dedupe_window_seconds not between 1 and 31536000
     or (enqueue.dedupe_window_seconds is not null and enqueue.dedupe_key is null) then
    perform millrace.refuse_argument('dedupe_window_seconds', enqueue.dedupe_window_seconds::text, '1 to 31536000, and only with a dedupe_key');
  end if;
  if length(enqueue.correlation_id) not between 1 and 255 then
    perform millrace.refuse_argument('correlation_id', enqueue.correlation_id, '1 to 255 characters');
  end if;
  if length(enqueue.subject_type) not between 1 and 100 or (enqueue.subject_type is null and enqueue.subject_id is not null) then
    perform millrace.refuse_argument('subject_type', enqueue.subject_type, '1 to 100 characters, together with subject_id');
  end if;
  if length(enqueue.subject_id) not between 1 and 255 or (enqueue.subject_id is null and enqueue.subject_type is not null) then
    perform millrace.refuse_argument('subject_id', enqueue.subject_id, '1 to 255 characters, together with subject_type');
  end if;
  if length(enqueue.source_ref) not between 1 and 1024 then
    perform millrace.refuse_argument('source_ref', enqueue.source_ref, '1 to 1024 characters');
  end if;
  if millrace.bad_job_label(enqueue.tags, null) is not null then
    perform millrace.refuse_argument('tags', enqueue.tags::text, 'at most 20, each of 1 to 64 characters');
  end if;
  if millrace.bad_job_label(null, enqueue.metadata) is not null or octet_length(enqueue.metadata::text) > 4096 then
    perform millrace.refuse_argument('metadata', enqueue.metadata::text, 'an object of at most 4096 bytes of JSON');
  end if;
  if enqueue.dependency_policy is null or enqueue.dependency_policy not in ('cancel', 'skip', 'run') then
    perform millrace.refuse_argument('dependency_policy', enqueue.dependency_policy, 'cancel, skip or run');
  end if;

  -- Parents before the new row, the order in which everybody locks; read as they are once they are held.
  if cardinality(enqueue.depends_on) > 0 then
    v_parents := array(select distinct unnest(enqueue.depends_on));
    if cardinality(v_parents) > 100 or array_position(v_parents, null) is not null then
      perform millrace.refuse_argument('depends_on', cardinality(v_parents) || ' jobs', 'at most 100 ids of jobs');
    end if;
    with held as materialized (
      select j.status, j.reason from millrace.jobs j
      where j.tenant_id = v_tenant.id and j.id = any (v_parents)
      order by j.id
      for share
    )
    select count(*), count(*) filter (where h.status in ('queued', 'running')),
           case when enqueue.dependency_policy <> 'run' and bool_or(millrace.ended_badly(h.status, h.reason))
                then case enqueue.dependency_policy when 'cancel' then 'parent_failed' else 'skipped' end end
    into v_found, v_pending, v_doom
    from held h;
    if v_found < cardinality(v_parents) then
      perform millrace.refuse_argument('depends_on', enqueue.depends_on::text, 'ids of jobs of the same tenant');
    end if;
  end if;

  for v_round in 1..5 loop
    if enqueue.dedupe_key is not null then
      select j.id into v_id from millrace.jobs j
      where j.tenant_id = v_tenant.id and j.dedupe_key = enqueue.dedupe_key and j.status in ('queued', 'running');
      if v_id is null and enqueue.dedupe_window_seconds is not null then
        select r.id into v_id
        from (select j.id, j.queued_at from millrace.jobs j
              where j.tenant_id = v_tenant.id and j.dedupe_key = enqueue.dedupe_key
              order by j.id desc limit 1) r
        where r.queued_at > clock_timestamp() - enqueue.dedupe_window_seconds * interval '1 second';
      end if;
      if v_id is not null then
        job_id := v_id; kind := 'existing';
        return next;
        return;
      end if;
    end if;

    insert into millrace.jobs
      (id, tenant_id, definition_id, source, source_ref, priority, payload, dedupe_key, correlation_id, subject_type, subject_id,
       requested_for, scheduled_for, queued_at, expires_at, timeout_seconds, max_attempts, created_by, pending_dependencies,
       cancel_requested_at, reason, tags, metadata)
    values
      (uuidv7(), v_tenant.id, v_definition.id, 'manual', enqueue.source_ref, enqueue.priority, enqueue.payload, enqueue.dedupe_key,
       enqueue.correlation_id, enqueue.subject_type, enqueue.subject_id,
       case when enqueue.scheduled_for < v_now then enqueue.scheduled_for end, v_starts_at, v_now, enqueue.expires_at,
       enqueue.timeout_seconds, coalesce(enqueue.max_attempts, v_definition.max_attempts), 'sql:' || session_user,
       case when v_doom is null then v_pending else 0 end, case when v_doom is not null then v_now end, v_doom,
       (select array_agg(t.tag order by t.position)
        from (select u.tag, min(u.position) as position from unnest(enqueue.tags) with ordinality as u (tag, position) group by u.tag) t),
       nullif(enqueue.metadata, '{}'))
    on conflict (tenant_id, dedupe_key) where dedupe_key is not null and status in ('queued', 'running') do nothing
    returning id into v_id;
    if v_id is not null then
      insert into millrace.job_dependencies (job_id, depends_on_id, tenant_id, policy)
      select v_id, p.id, v_tenant.id, enqueue.dependency_policy from unnest(v_parents) as p (id);
      job_id := v_id; kind := 'created';
      return next;
      return;
    end if;
    -- A rival has committed meanwhile; the next round, a new statement, sees it, or sees that it has ended.
  end loop;
  raise exception 'millrace.enqueue: dedupe_key % is busy; try again', quote_literal(left(enqueue.dedupe_key, 80))
    using errcode = 'lock_not_available', column = 'dedupe_key';
end $function$;

CREATE OR REPLACE FUNCTION millrace.enter_gate(p_scope text, p_tenant_id uuid, p_definition_id uuid, p_max integer, p_rate integer, p_period_seconds integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_id   bigint := millrace.find_gate(p_scope, p_tenant_id, p_definition_id);
  v_gate millrace.limit_gates;
  v_room integer;
begin
  if v_id is null then
    -- One at a time: two that insert the same rows in different orders would wait for each other.
    if not pg_try_advisory_xact_lock(hashtextextended('millrace.limit_gates', 0)) then
      return null;
    end if;
    insert into millrace.limit_gates (scope, tenant_id, definition_id) values (p_scope, p_tenant_id, p_definition_id)
    on conflict do nothing;
    v_id := millrace.find_gate(p_scope, p_tenant_id, p_definition_id);
  end if;
  select g.* into v_gate from millrace.limit_gates g where g.id = v_id for no key update skip locked;
  if not found then
    return null;
  end if;
  -- Only now, in a statement after the lock: this is what makes the limit hold.
  if p_max is not null then
    v_room := p_max - millrace.running_count(p_tenant_id, p_definition_id, p_max);
  end if;
  if p_rate is not null then
    v_room := least(v_room, p_rate - case
      when v_gate.period_seconds = p_period_seconds
      then millrace.starts_in_period(v_gate.starts, v_gate.newest_slot, millrace.rate_slot(clock_timestamp(), p_period_seconds))
      -- Another period than before, or the first start ever.
      else 0 end);
  end if;
  return v_room;
end $function$;

CREATE OR REPLACE FUNCTION millrace.find_api_key(p_key_hash bytea)
 RETURNS TABLE(id uuid, tenant_id uuid, role text, scopes text[], persisted_only boolean, expires_at timestamp with time zone, revoked_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET row_security TO 'on'
BEGIN ATOMIC
 SELECT k.id,
     k.tenant_id,
     k.role,
     k.scopes,
     k.persisted_only,
     k.expires_at,
     k.revoked_at
    FROM millrace.api_keys k
   WHERE (k.key_hash = find_api_key.p_key_hash);
END;

CREATE OR REPLACE FUNCTION millrace.find_gate(p_scope text, p_tenant_id uuid, p_definition_id uuid)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
begin
  case p_scope
    when 'definition' then
      return (select g.id from millrace.limit_gates g
              where g.scope = p_scope and g.tenant_id is null and g.definition_id = p_definition_id);
    when 'tenant' then
      return (select g.id from millrace.limit_gates g
              where g.scope = p_scope and g.tenant_id = p_tenant_id and g.definition_id is null);
    else
      return (select g.id from millrace.limit_gates g
              where g.scope = p_scope and g.tenant_id = p_tenant_id and g.definition_id = p_definition_id);
  end case;
end $function$;

CREATE OR REPLACE FUNCTION millrace.find_lanes(p_seek_tenant uuid, p_seek_definition uuid, p_end_tenant uuid, p_end_definition uuid, p_served uuid[], p_ahead_ids uuid[], p_only_ahead boolean, p_most integer, p_mark_tenants uuid[], p_mark_definitions uuid[])
 RETURNS millrace.claim_lane[]
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  c_last  constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  v_at    constant timestamptz := clock_timestamp();
  v_found millrace.claim_lane[];
begin
  with recursive lane (tenant_id, definition_id, next_definition_id, is_due) as (
    select p_seek_tenant, null::uuid, p_seek_definition, false
    union all
    select n.tenant_id, n.definition_id,
           -- Leaps over what is not served: to the next definition that is, or past this tenant.
           coalesce((select s from unnest(p_served) s where s > n.definition_id order by s limit 1), c_last),
           n.is_due
    from lane l
    -- A lane with a mark is taken for there, not looked for: its first entries may be thousands of dead ones.
    left join lateral (
      select k.tenant_id, k.definition_id from unnest(p_mark_tenants, p_mark_definitions) k (tenant_id, definition_id)
      where (k.tenant_id, k.definition_id) >= (l.tenant_id, l.next_definition_id)
        and (k.tenant_id, k.definition_id) < (p_end_tenant, p_end_definition)
      order by 1, 2 limit 1
    ) k on true
    left join lateral (
      select j.tenant_id, j.definition_id, j.scheduled_for <= v_at as is_due from millrace.jobs j
      where j.status = 'queued' and j.pending_dependencies = 0
        and (j.tenant_id, j.definition_id) >= (l.tenant_id, l.next_definition_id)
        and (j.tenant_id, j.definition_id) < (coalesce(k.tenant_id, p_end_tenant), coalesce(k.definition_id, p_end_definition))
      order by j.tenant_id, j.definition_id limit 1
    ) p on true
    cross join lateral (
      select coalesce(p.tenant_id, k.tenant_id) as tenant_id, coalesce(p.definition_id, k.definition_id) as definition_id,
             coalesce(p.is_due, false) as is_due
    ) n
    where n.tenant_id is not null
  )
  select array_agg(f.lane order by f.tenant_id, f.definition_id) into v_found
  from (
    select l.tenant_id, l.definition_id,
           row(l.tenant_id, l.definition_id, t.weight, x.is_limited, x.is_marked,
               d.max_running, d.rate_limit_count, d.rate_limit_period_seconds,
               t.max_running, t.rate_limit_count, t.rate_limit_period_seconds,
               o.max_running, o.rate_limit_count, o.rate_limit_period_seconds)::millrace.claim_lane as lane
    from lane l
    cross join lateral (
      select t.weight, t.max_running, t.rate_limit_count, t.rate_limit_period_seconds from millrace.tenants t
      where t.id = l.tenant_id and t.paused_at is null and t.deleted_at is null limit 1
    ) t
    cross join lateral (
      select d.max_running, d.rate_limit_count, d.rate_limit_period_seconds, d.max_running_per_tenant,
             d.rate_limit_per_tenant_count, d.rate_limit_per_tenant_period_seconds
      from millrace.job_definitions d where d.id = l.definition_id limit 1
    ) d
    left join lateral (
      select q.max_running, q.rate_limit_count, q.rate_limit_period_seconds from millrace.lane_limits q
      where q.tenant_id = l.tenant_id and q.definition_id = l.definition_id limit 1
    ) q on true
    cross join lateral (
      select coalesce(q.max_running, d.max_running_per_tenant) as max_running,
             coalesce(q.rate_limit_count, d.rate_limit_per_tenant_count) as rate_limit_count,
             coalesce(q.rate_limit_period_seconds, d.rate_limit_per_tenant_period_seconds) as rate_limit_period_seconds
    ) o
    cross join lateral (
      select num_nonnulls(d.max_running, d.rate_limit_count, t.max_running, t.rate_limit_count, o.max_running, o.rate_limit_count) > 0
               as is_limited,
             exists (select from unnest(p_mark_tenants, p_mark_definitions) k (tenant_id, definition_id)
                     where k.tenant_id = l.tenant_id and k.definition_id = l.definition_id) as is_marked
    ) x
    where l.definition_id = any (p_served)
      and (not p_only_ahead or (not x.is_limited and l.definition_id = any (p_ahead_ids)))
      -- Not EXISTS, which the planner may answer by reading every waiting job of all lanes into a hash table first.
      and (x.is_marked or l.is_due or (
        select true from millrace.jobs j
        where j.tenant_id = l.tenant_id and j.definition_id = l.definition_id
          and j.status = 'queued' and j.pending_dependencies = 0 and j.scheduled_for <= v_at limit 1))
      -- Looks as has_room does. The counts stand here and not in a call: a thousand calls cost more than a thousand counts.
      and (t.max_running is null or t.max_running > (select count(*) from (
        select from millrace.job_definitions i cross join lateral (
          select from millrace.jobs j
          where j.definition_id = i.id and j.tenant_id = l.tenant_id and j.status = 'running' limit t.max_running) r
        limit t.max_running) r))
      and (o.max_running is null or o.max_running > (select count(*) from (
        select from millrace.jobs j
        where j.definition_id = l.definition_id and j.tenant_id = l.tenant_id and j.status = 'running' limit o.max_running) r))
      and (t.rate_limit_count is null
           or millrace.has_room('tenant', l.tenant_id, null, null, t.rate_limit_count, t.rate_limit_period_seconds))
      and (o.rate_limit_count is null
           or millrace.has_room('lane', l.tenant_id, l.definition_id, null, o.rate_limit_count, o.rate_limit_period_seconds))
    limit p_most
  ) f;
  return coalesce(v_found, '{}');
end $function$;

CREATE OR REPLACE FUNCTION millrace.forget_listed_jobs()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET row_security TO 'on'
AS $function$
begin
  truncate millrace.tenant_jobs;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION millrace.forget_named_jobs()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET row_security TO 'on'
AS $function$
begin
  delete from millrace.job_dependencies;
  update millrace.artifacts set job_id = null where job_id is not null;
  update millrace.clips set job_id = null where job_id is not null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION millrace.forget_search_rows(p_tenant_id uuid, p_segment_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_words   text[];
  v_counts  integer[];
begin
  delete from millrace.search_pending p
  using millrace.search_materialized m
  where m.segment_id = any (p_segment_ids) and p.tenant_id = p_tenant_id and p.video_id = m.video_id and p.segment_id = m.segment_id;
  with gone as (
    delete from millrace.search_materialized m where m.segment_id = any (p_segment_ids) and m.tenant_id = p_tenant_id
    returning m.video_id, m.tsv
  ), less as (
    select g.video_id, count(*) as n from gone g group by g.video_id
  ), counted as (
    update millrace.search_videos v set segment_count = v.segment_count - less.n
    from less where v.tenant_id = p_tenant_id and v.video_id = less.video_id and v.segment_count <> less.n
  ), emptied as (
    delete from millrace.search_videos v using less
    where v.tenant_id = p_tenant_id and v.video_id = less.video_id and v.segment_count = less.n
  ), word as (
    select substr(l.lexeme, 7) as word, -count(*)::integer as n from gone g cross join lateral unnest(tsvector_to_array(g.tsv)) as l (lexeme) group by 1
    union all
    select '', -count(*)::integer from gone
  )
  select array_agg(w.word), array_agg(w.n) into v_words, v_counts from word w;
  perform millrace.count_search_words(p_tenant_id, v_words, v_counts);
end $function$;

CREATE OR REPLACE FUNCTION millrace.forget_search_segments()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET row_security TO 'on'
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_tenant  uuid;
begin
  delete from millrace.search_pending p using changed c
  where p.tenant_id = c.tenant_id and p.video_id = c.video_id and p.segment_id = c.id;
  for v_tenant in select distinct c.tenant_id from changed c loop
    perform millrace.forget_search_rows(v_tenant, array(select c.id from changed c where c.tenant_id = v_tenant));
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION millrace.forget_search_titles()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET row_security TO 'on'
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_tenant  uuid;
begin
  delete from millrace.search_pending p using changed c
  where p.tenant_id = c.tenant_id and p.video_id = c.id and p.segment_id = c.id;
  for v_tenant in select distinct c.tenant_id from changed c loop
    perform millrace.forget_search_rows(v_tenant, array(select c.id from changed c where c.tenant_id = v_tenant));
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION millrace.has_room(p_scope text, p_tenant_id uuid, p_definition_id uuid, p_max integer, p_rate integer, p_period_seconds integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  return (p_max is null or millrace.running_count(p_tenant_id, p_definition_id, p_max) < p_max)
     and (p_rate is null or coalesce((
            select millrace.starts_in_period(g.starts, g.newest_slot, millrace.rate_slot(clock_timestamp(), p_period_seconds)) < p_rate
            from millrace.limit_gates g
            where g.id = millrace.find_gate(p_scope, p_tenant_id, p_definition_id) and g.period_seconds = p_period_seconds), true));
end $function$;

CREATE OR REPLACE FUNCTION millrace.index_search_title()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET row_security TO 'on'
 SET enable_seqscan TO 'off'
AS $function$
begin
  perform millrace.search_segments(new.tenant_id, array[new.id]);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION millrace.index_search_titles()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET row_security TO 'on'
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_tenant  uuid;
begin
  for v_tenant in select distinct c.tenant_id from changed c loop
    perform millrace.search_segments(v_tenant, array(select c.id from changed c where c.tenant_id = v_tenant));
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION millrace.let_go(p_final uuid[], p_tenants uuid[], p_definitions uuid[])
 RETURNS text
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_released text;
begin
  if exists (select from millrace.job_dependencies d where d.depends_on_id = any (p_final)) then
    select case when bool_or(r.action = 'doomed') then 'doomed' when count(*) > 0 then 'ready' end into v_released
    from millrace.release_dependents(p_final) r;
  end if;
  -- A run that ends under a limit makes room for the next: whoever waits for that is to look now, not at its next poll.
  if v_released is null and exists (
    select from millrace.limit_gates g
    where (g.definition_id is null or g.definition_id = any (p_definitions)) and (g.tenant_id is null or g.tenant_id = any (p_tenants))
  ) then
    v_released := 'ready';
  end if;
  return v_released;
end $function$;

CREATE OR REPLACE FUNCTION millrace.list_jobs()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET row_security TO 'on'
AS $function$
begin
  insert into millrace.tenant_jobs (tenant_id, job_id) select f.tenant_id, f.id from fresh f;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION millrace.mark_search_entities()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET row_security TO 'on'
AS $function$
begin
  insert into millrace.search_pending (tenant_id, video_id, segment_id)
  select distinct s.tenant_id, s.video_id, s.id from changed c join millrace.segments s on s.id = c.segment_id
  order by 1, 2, 3
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION millrace.mark_search_segments()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET row_security TO 'on'
AS $function$
begin
  insert into millrace.search_pending (tenant_id, video_id, segment_id)
  select c.tenant_id, c.video_id, c.id from changed c order by c.tenant_id, c.video_id, c.id
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION millrace.note_starts(p_scope text, p_tenant_id uuid, p_definition_id uuid, p_period_seconds integer, p_count integer, p_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_slot bigint := millrace.rate_slot(p_at, p_period_seconds);
begin
  update millrace.limit_gates g
  set period_seconds = p_period_seconds,
      newest_slot = n.newest_slot,
      starts = (
        select array_agg((case when g.period_seconds = p_period_seconds and s.slot between g.newest_slot - 20 and g.newest_slot
                               then g.starts[1 + s.slot % 21] else 0 end)
                         + case when s.slot = n.newest_slot then p_count else 0 end order by s.slot % 21)
        from generate_series(n.newest_slot - 20, n.newest_slot) s (slot))
  -- A clock that was set back must not forget what was started before.
  from (select case when o.period_seconds = p_period_seconds then greatest(v_slot, o.newest_slot) else v_slot end as newest_slot, o.id
        from millrace.limit_gates o where o.id = millrace.find_gate(p_scope, p_tenant_id, p_definition_id)) n
  where g.id = n.id;
end $function$;

CREATE OR REPLACE FUNCTION millrace.pick_after_marks(p_tenant_id uuid, p_definition_id uuid, p_at timestamp with time zone, p_most integer, p_mark_tenants uuid[], p_mark_definitions uuid[], p_mark_priorities integer[], p_mark_us bigint[], p_mark_ids uuid[], p_mark_full boolean[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_picked  uuid[];
  v_is_full boolean;
begin
  with mark as materialized (
    select m.priority, m.us, m.id, m.is_full
    from unnest(p_mark_tenants, p_mark_definitions, p_mark_priorities, p_mark_us, p_mark_ids, p_mark_full)
      as m (tenant_id, definition_id, priority, us, id, is_full)
    where m.tenant_id = p_tenant_id and m.definition_id = p_definition_id
  ), stretch as materialized (
    -- From the lane's beginning to its first marked priority, and from each mark to the priority of the next.
    select -1 as priority, 0::bigint as us, '00000000-0000-0000-0000-000000000000'::uuid as id, min(m.priority) - 1 as upto from mark m
    union all
    select m.priority, m.us, m.id, lead(m.priority, 1, 1000001) over (order by m.priority) - 1 from mark m
  )
  select (
    select array_agg(p.id) from (
      select j.id
      from (select * from stretch order by priority) s
      cross join lateral (
        select j.id from millrace.jobs j
        where j.tenant_id = p_tenant_id and j.definition_id = p_definition_id
          and j.status = 'queued' and j.pending_dependencies = 0 and j.scheduled_for <= p_at
          and (j.priority, j.scheduled_for, j.id) > (s.priority, timestamptz 'epoch' + s.us * interval '1 microsecond', s.id)
          and j.priority <= s.upto
        order by j.priority, j.scheduled_for, j.id
        limit p_most
        for no key update skip locked
      ) j
      limit p_most
    ) p
  ), (select bool_or(m.is_full) from mark m)
  into v_picked, v_is_full;

  v_picked := coalesce(v_picked, '{}');
  if v_is_full and cardinality(v_picked) < p_most then
    select v_picked || coalesce(array_agg(p.id), '{}') into v_picked
    from (
      select j.id from millrace.jobs j
      where j.tenant_id = p_tenant_id and j.definition_id = p_definition_id
        and j.status = 'queued' and j.pending_dependencies = 0 and j.scheduled_for <= p_at
        -- SKIP LOCKED does not skip our own locks. (The array is unpacked for every row.)
        and (cardinality(v_picked) = 0 or j.id <> all (v_picked))
      order by j.priority, j.scheduled_for, j.id
      limit p_most - cardinality(v_picked)
      for no key update skip locked
    ) p;
  end if;
  return v_picked;
end $function$;

CREATE OR REPLACE FUNCTION millrace.prune_usage_event()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  delete from millrace.stored_usage_events e where e.tenant_id = old.tenant_id and e.created_at = old.created_at and e.id = old.id;
  return case when found then old end;
end $function$;

CREATE OR REPLACE FUNCTION millrace.rate_free_at(p_scope text, p_tenant_id uuid, p_definition_id uuid, p_rate integer, p_period_seconds integer)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
AS $function$
declare
  v_gate millrace.limit_gates;
  v_slot bigint := millrace.rate_slot(clock_timestamp(), p_period_seconds);
begin
  select g.* into v_gate from millrace.limit_gates g where g.id = millrace.find_gate(p_scope, p_tenant_id, p_definition_id);
  if p_rate is null or v_gate.period_seconds is distinct from p_period_seconds then
    return '-infinity';
  end if;
  v_slot := greatest(v_slot, v_gate.newest_slot);
  return (select case when s.slot = v_slot then '-infinity'::timestamptz else to_timestamp(s.slot * p_period_seconds / 20.0) end
          from generate_series(v_slot, v_slot + 21) s (slot)
          where millrace.starts_in_period(v_gate.starts, v_gate.newest_slot, s.slot) < p_rate
          order by s.slot limit 1);
end $function$;

CREATE OR REPLACE FUNCTION millrace.rate_slot(p_at timestamp with time zone, p_period_seconds integer)
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (floor(((date_part('epoch'::text, p_at) * (20)::double precision) / (p_period_seconds)::double precision)))::bigint;

CREATE OR REPLACE FUNCTION millrace.recount_dependencies(p_job_ids uuid[], p_ended_ids uuid[])
 RETURNS TABLE(job_id uuid, tenant_id uuid, action text)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  -- No status in the WHERE: a job that is canceled in this snapshot may be about to be queued again by who holds it.
  perform from millrace.jobs j where j.id = any (p_job_ids) order by j.id for no key update;

  return query
  with verdict as materialized (
    select c.id,
           count(*) filter (where p.status in ('queued', 'running'))::integer as pending,
           coalesce(bool_or(bad.acts and d.policy = 'cancel'), false) as cancels,
           coalesce(bool_or(bad.acts and d.policy = 'skip'), false) as skips
    from unnest(p_job_ids) as c (id)
    left join millrace.job_dependencies d on d.job_id = c.id
    left join millrace.jobs p on p.id = d.depends_on_id
    left join lateral (
      select millrace.ended_badly(p.status, p.reason) and (p_ended_ids is null or p.id = any (p_ended_ids)) as acts
    ) bad on true
    group by c.id
  ), moved as (
    update millrace.jobs j
    set pending_dependencies = case when v.cancels or v.skips then 0 else v.pending end,
        cancel_requested_at = case when v.cancels or v.skips then clock_timestamp() else j.cancel_requested_at end,
        reason = case when v.cancels then 'parent_failed' when v.skips then 'skipped' else j.reason end,
        scheduled_for = case when v.cancels or v.skips or v.pending = 0 then greatest(j.scheduled_for, clock_timestamp())
                             else j.scheduled_for end,
        version = j.version + 1,
        changed_xid = pg_current_xact_id()
    from verdict v
    where j.id = v.id and j.status = 'queued' and j.pending_dependencies > 0
      and (v.cancels or v.skips or v.pending <> j.pending_dependencies)
    returning j.id, j.tenant_id, v.pending,
              case when v.cancels or v.skips then 'doomed' when v.pending = 0 then 'ready' end as action
  )
  select m.id, m.tenant_id, m.action from moved m where m.action is not null;
end $function$;

CREATE OR REPLACE FUNCTION millrace.refresh_search_materialized(p_video_id uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET row_security TO 'on'
AS $function$
declare
  v_tenant  uuid := millrace.current_tenant_id();
  v_ids     uuid[];
begin
  if v_tenant is null then
    raise exception 'The transaction names no tenant whose search is to be refreshed'
      using errcode = 'invalid_parameter_value', hint = 'Set millrace.tenant_id in the transaction.';
  end if;
  loop
    select array_agg(p.segment_id) into v_ids
    from (
      select q.segment_id from millrace.search_pending q
      where q.tenant_id = v_tenant and (p_video_id is null or q.video_id = p_video_id)
      order by q.tenant_id, q.video_id, q.segment_id
      limit 5000 for update
    ) p;
    exit when v_ids is null;
    perform millrace.search_segments(v_tenant, v_ids);
    delete from millrace.search_pending q
    where q.tenant_id = v_tenant and (p_video_id is null or q.video_id = p_video_id) and q.segment_id = any (v_ids);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION millrace.refuse_argument(p_argument text, p_value text, p_allowed text)
 RETURNS void
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  raise exception 'millrace.enqueue: % is %; allowed: %', p_argument, coalesce(quote_literal(left(p_value, 80)), 'null'), p_allowed
    using errcode = 'invalid_parameter_value', column = p_argument;
end $function$;

CREATE OR REPLACE FUNCTION millrace.refuse_delete_with_jobs()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if (tg_table_name = 'tenants' and exists (select from millrace.tenant_jobs t where t.tenant_id = old.id))
     or (tg_table_name = 'job_definitions' and exists (select from millrace.jobs j where j.definition_id = old.id)) then
    raise exception '% % still has jobs', case tg_table_name when 'tenants' then 'tenant' else 'job definition' end, old.id
      using errcode = 'foreign_key_violation', schema = 'millrace', table = tg_table_name;
  end if;
  return old;
end $function$;

CREATE OR REPLACE FUNCTION millrace.refuse_inexact_numbers(p_payload jsonb)
 RETURNS void
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET extra_float_digits TO '1'
AS $function$
declare
  v_found record;
begin
  with recursive part (path, value) as (
    select 'payload', p_payload
    union all
    select left(p.path || c.step, 200), c.value
    from part p
    cross join lateral (
      select '.' || left(e.key, 100), e.value
      from jsonb_each(case jsonb_typeof(p.value) when 'object' then p.value else '{}' end) e (key, value)
      union all
      select '[' || e.place - 1 || ']', e.value
      from jsonb_array_elements(case jsonb_typeof(p.value) when 'array' then p.value else '[]' end) with ordinality e (value, place)
    ) c (step, value)
  )
  select p.path, left(p.value::text, 60) as number into v_found
  from part p
  where case
    when jsonb_typeof(p.value) <> 'number' then false
    -- Fractions are rounded by everybody, and expected to be.
    when abs(p.value::numeric) <= 9007199254740991 then false
    when abs(p.value::numeric) > 1.7976931348623157e308 then true
    -- Not `float8::numeric`, which keeps fifteen digits only.
    else p.value::numeric::float8::text::numeric <> p.value::numeric end
  limit 1;
  if found then
    raise exception 'millrace.enqueue: % is %; allowed: integers from -9007199254740991 to 9007199254740991, and larger numbers that a double holds exactly; others as text',
      v_found.path, v_found.number using errcode = 'invalid_parameter_value', column = 'payload';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION millrace.refuse_job(p_id uuid, p_lost_tenant uuid, p_lost_definition uuid, p_bad_value text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if p_lost_tenant is not null then
    raise exception 'job % names tenant %, which does not exist', p_id, p_lost_tenant
      using errcode = 'foreign_key_violation', schema = 'millrace', table = 'jobs', column = 'tenant_id';
  elsif p_lost_definition is not null then
    raise exception 'job % names definition %, which does not exist', p_id, p_lost_definition
      using errcode = 'foreign_key_violation', schema = 'millrace', table = 'jobs', column = 'definition_id';
  elsif p_bad_value is not null then
    raise exception 'a value of the job is out of its bounds: jobs_%_check', p_bad_value
      using errcode = 'check_violation', schema = 'millrace', table = 'jobs', constraint = format('jobs_%s_check', p_bad_value);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION millrace.reindex_search(p_tenant_id uuid)
 RETURNS void
 LANGUAGE sql
BEGIN ATOMIC
 INSERT INTO millrace.search_pending (tenant_id, video_id, segment_id)  SELECT s.tenant_id,
             s.video_id,
             s.id
            FROM millrace.segments s
           WHERE (s.tenant_id = reindex_search.p_tenant_id)
         UNION ALL
          SELECT v.tenant_id,
             v.id,
             v.id
            FROM millrace.videos v
           WHERE (v.tenant_id = reindex_search.p_tenant_id) ON CONFLICT DO NOTHING;
END;

CREATE OR REPLACE FUNCTION millrace.release_dependents(p_parent_ids uuid[])
 RETURNS TABLE(job_id uuid, tenant_id uuid, action text)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_nestloop TO 'on'
AS $function$
declare
  v_children uuid[];
begin
  select array_agg(distinct d.job_id) into v_children
  from millrace.job_dependencies d where d.depends_on_id = any (p_parent_ids);
  if v_children is not null then
    return query select r.job_id, r.tenant_id, r.action from millrace.recount_dependencies(v_children, p_parent_ids) r;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION millrace.revive_dependents(p_parent_ids uuid[], p_limit integer)
 RETURNS TABLE(revived millrace.jobs, definition_key text, is_edge boolean)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_level    uuid[] := p_parent_ids;
  v_children uuid[];
  v_plain    uuid[];
  v_keyed    uuid[];
  v_id       uuid;
  v_back     uuid[];
  v_revived  uuid[] := '{}';
begin
  update millrace.jobs j
  set pending_dependencies = c.pending, version = j.version + 1, changed_xid = pg_current_xact_id()
  from (select d.job_id, count(*) filter (where p.status in ('queued', 'running'))::integer as pending
        from millrace.job_dependencies d join millrace.jobs p on p.id = d.depends_on_id
        where d.job_id = any (p_parent_ids)
        group by d.job_id) c
  where j.id = c.job_id and j.status = 'queued' and j.pending_dependencies <> c.pending;

  while cardinality(v_level) > 0 and cardinality(v_revived) < p_limit loop
    select array_agg(distinct d.job_id) into v_children
    from millrace.job_dependencies d where d.depends_on_id = any (v_level);
    v_level := '{}';
    exit when v_children is null;
    perform from millrace.jobs j where j.id = any (v_children) order by j.id for no key update;
    select array_agg(j.id) filter (where j.dedupe_key is null or j.status <> 'canceled'),
           array_agg(j.id) filter (where j.dedupe_key is not null and j.status = 'canceled')
    into v_plain, v_keyed
    from millrace.jobs j where j.id = any (v_children);
    select coalesce(array_agg(r.id), '{}') into v_back from millrace.revive_held_jobs(v_plain) as r (id);
    v_level := v_level || v_back;
    foreach v_id in array coalesce(v_keyed, '{}') loop
      begin
        select coalesce(array_agg(r.id), '{}') into v_back from millrace.revive_held_jobs(array[v_id]) as r (id);
        v_level := v_level || v_back;
      exception when unique_violation then null;
      end;
    end loop;
    v_revived := v_revived || v_level;
  end loop;
  return query
  select j, d.key, j.id = any (v_level)
  from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
  where j.id = any (v_revived) order by j.id;
end $function$;

CREATE OR REPLACE FUNCTION millrace.revive_held_jobs(p_job_ids uuid[])
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return query
  with verdict as materialized (
    select c.id, count(*) filter (where p.status in ('queued', 'running'))::integer as pending
    from unnest(p_job_ids) as c (id)
    left join millrace.job_dependencies d on d.job_id = c.id
    left join millrace.jobs p on p.id = d.depends_on_id
    group by c.id
    having not coalesce(bool_or(millrace.ended_badly(p.status, p.reason) and d.policy <> 'run'), false)
  ), moved as (
    update millrace.jobs j
    set status = 'queued',
        pending_dependencies = v.pending,
        attempt_count = case when j.status = 'canceled' then 0 else j.attempt_count end,
        lost_lease_count = case when j.status = 'canceled' then 0 else j.lost_lease_count end,
        snooze_count = case when j.status = 'canceled' then 0 else j.snooze_count end,
        scheduled_for = greatest(j.scheduled_for, clock_timestamp()),
        finished_at = null,
        cancel_requested_at = null,
        reason = null,
        version = j.version + 1,
        changed_xid = pg_current_xact_id()
    from verdict v
    where j.id = v.id
      and ((j.status = 'canceled' and j.reason in ('parent_failed', 'skipped'))
        or (j.status = 'queued' and j.cancel_requested_at is not null and j.reason in ('parent_failed', 'skipped'))
        or (j.status = 'queued' and j.pending_dependencies > 0 and j.pending_dependencies <> v.pending))
    returning j.id, old.status as was
  )
  select m.id from moved m where m.was = 'canceled';
end $function$;

CREATE OR REPLACE FUNCTION millrace.ring_bell()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if millrace.can_notify() then
    perform pg_notify('millrace_watch', '');
    if tg_table_name = 'jobs' and tg_op <> 'DELETE' then
      perform pg_notify('millrace_work', '');
    end if;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION millrace.ring_identity_bell()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if millrace.can_notify() then
    perform pg_notify('millrace_identity', coalesce(new.tenant_id, old.tenant_id)::text);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION millrace.ring_tenant_bell()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if millrace.can_notify() then
    perform pg_notify('millrace_identity', new.id::text);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION millrace.running_count(p_tenant_id uuid, p_definition_id uuid, p_most integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
begin
  if p_tenant_id is null then
    return (select count(*) from (
      select from millrace.jobs j where j.definition_id = p_definition_id and j.status = 'running' limit p_most) r);
  elsif p_definition_id is null then
    -- Definition by definition: the index begins with it.
    return (select count(*) from (
      select from millrace.job_definitions d cross join lateral (
        select from millrace.jobs j
        where j.definition_id = d.id and j.tenant_id = p_tenant_id and j.status = 'running' limit p_most) o
      limit p_most) r);
  end if;
  return (select count(*) from (
    select from millrace.jobs j
    where j.definition_id = p_definition_id and j.tenant_id = p_tenant_id and j.status = 'running' limit p_most) r);
end $function$;

CREATE OR REPLACE FUNCTION millrace.search_is_near(p_one text, p_other text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
 SELECT (EXISTS ( SELECT
            FROM ( VALUES (millrace.search_shape(search_is_near.p_one),millrace.search_shape(search_is_near.p_other)), (millrace.search_pair_shape(search_is_near.p_one),millrace.search_pair_shape(search_is_near.p_other))) s(a, b)
           WHERE ((s.a = s.b) OR ((abs((length(s.a) - length(s.b))) <= 1) AND (EXISTS ( SELECT
                    FROM generate_series(1, GREATEST(length(s.a), length(s.b))) i(i)
                   WHERE (("left"(s.a, (i.i - 1)) = "left"(s.b, (i.i - 1))) AND
                         CASE (length(s.a) - length(s.b))
                             WHEN 0 THEN ((substr(s.a, (i.i + 1)) = substr(s.b, (i.i + 1))) OR ((substr(s.a, i.i, 2) = reverse(substr(s.b, i.i, 2))) AND (substr(s.a, (i.i + 2)) = substr(s.b, (i.i + 2)))))
                             WHEN 1 THEN (substr(s.a, (i.i + 1)) = substr(s.b, i.i))
                             ELSE (substr(s.a, i.i) = substr(s.b, (i.i + 1)))
                         END))))))) AS "exists";
END;

CREATE OR REPLACE FUNCTION millrace.search_alternatives(p_tenant_id uuid, p_word text, p_prefix boolean)
 RETURNS TABLE(kind text, word text, segment_count bigint)
 LANGUAGE sql
 STABLE PARALLEL SAFE
BEGIN ATOMIC
 SELECT 'exact'::text,
     w.word,
     sum(w.segment_count) AS sum
    FROM millrace.search_words w
   WHERE ((w.tenant_id = search_alternatives.p_tenant_id) AND (w.word = search_alternatives.p_word))
   GROUP BY w.word
 UNION ALL
 ( SELECT
         CASE
             WHEN ((millrace.search_shape(w.word) = millrace.search_shape(search_alternatives.p_word)) OR (millrace.search_pair_shape(w.word) = millrace.search_pair_shape(search_alternatives.p_word))) THEN 'look'::text
             ELSE 'typo'::text
         END AS kind,
     w.word,
     sum(w.segment_count) AS segment_count
    FROM ( SELECT a.id,
             a.tenant_id,
             a.word,
             a.segment_count,
             a.typo_keys,
             a.shape
            FROM millrace.search_words a
           WHERE (a.typo_keys && millrace.search_typo_keys(search_alternatives.p_tenant_id, search_alternatives.p_word))
          OFFSET 0) w
   WHERE ((w.tenant_id = search_alternatives.p_tenant_id) AND (w.word <> search_alternatives.p_word) AND millrace.search_is_near(w.word, search_alternatives.p_word))
   GROUP BY w.word
   ORDER BY
         CASE
             WHEN ((millrace.search_shape(w.word) = millrace.search_shape(search_alternatives.p_word)) OR (millrace.search_pair_shape(w.word) = millrace.search_pair_shape(search_alternatives.p_word))) THEN 'look'::text
             ELSE 'typo'::text
         END, (sum(w.segment_count)) DESC, w.word
  LIMIT 40)
 UNION ALL
 ( SELECT 'prefix'::text,
     w.word,
     sum(w.segment_count) AS sum
    FROM millrace.search_words w
   WHERE (search_alternatives.p_prefix AND (w.tenant_id = search_alternatives.p_tenant_id) AND (w.word > search_alternatives.p_word) AND (w.word < (search_alternatives.p_word || chr(1114111))))
   GROUP BY w.word
   ORDER BY w.word
  LIMIT 201)
 UNION ALL
 ( SELECT 'begin'::text,
     w.word,
     sum(w.segment_count) AS sum
    FROM millrace.search_words w
   WHERE (search_alternatives.p_prefix AND (w.tenant_id = search_alternatives.p_tenant_id) AND (length(search_alternatives.p_word) >= 3) AND (w.shape > millrace.search_shape(search_alternatives.p_word)) AND (w.shape < (millrace.search_shape(search_alternatives.p_word) || chr(1114111))) AND (NOT starts_with(w.word, search_alternatives.p_word)))
   GROUP BY w.word
   ORDER BY (sum(w.segment_count)) DESC, w.word
  LIMIT 40);
END;

CREATE OR REPLACE FUNCTION millrace.search_backlog(p_limit integer)
 RETURNS TABLE(tenant_id uuid, video_id uuid)
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
BEGIN ATOMIC
 SELECT p.tenant_id,
     p.video_id
    FROM millrace.search_pending p
   GROUP BY p.tenant_id, p.video_id
   ORDER BY p.tenant_id, p.video_id
  LIMIT search_backlog.p_limit;
END;

CREATE OR REPLACE FUNCTION millrace.search_price_shelf(p_amount numeric)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (floor((ln(LEAST(GREATEST(p_amount, 0.01), (1000000000)::numeric)) * (5)::numeric)))::integer;

CREATE OR REPLACE FUNCTION millrace.search_fold(p_text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ((p_text COLLATE "C") ~ '^[\x01-\x7f]*$'::text) THEN (lower((p_text COLLATE "C")) COLLATE pg_c_utf8) ELSE replace(replace(replace(translate(NORMALIZE(regexp_replace((casefold((NORMALIZE(translate(p_text, '´¨¯¸˘˙˚˛˜˝῾᾿﻿'::text, (repeat(''''::text, 12) || ' '::text)), NFKD) COLLATE pg_unicode_fast)) COLLATE pg_c_utf8), '[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u00ad\u200b-\u200f\u2060\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]'::text, ''::text, 'g'::text), NFC), 'øłđħıŧðŋ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹'::text, 'oldhitdn01234567890123456789'::text), 'æ'::text, 'ae'::text), 'œ'::text, 'oe'::text), 'þ'::text, 'th'::text) END;

CREATE OR REPLACE FUNCTION millrace.search_entity_words(p_type text, p_subtype text, p_value text, p_domain text, p_amount numeric, p_currency text)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
 SELECT (
         CASE search_entity_words.p_type
             WHEN 'mention'::text THEN '@'::text
             ELSE '#'::text
         END || "left"(ltrim(millrace.search_fold(search_entity_words.p_value), '@#'::text), 64))
   WHERE (search_entity_words.p_type = ANY (ARRAY['mention'::text, 'hashtag'::text]))
 UNION ALL
  SELECT ('site:'::text || "left"(array_to_string(h.labels[n.n:], '.'::text), 100))
    FROM ( SELECT string_to_array("substring"(search_entity_words.p_value, '^[^/?#:]+'::text), '.'::text) AS labels) h,
     LATERAL generate_series(1, (cardinality(h.labels) - cardinality(string_to_array(search_entity_words.p_domain, '.'::text)))) n(n)
   WHERE ((search_entity_words.p_type = 'url'::text) AND (search_entity_words.p_domain IS NOT NULL))
 UNION ALL
  SELECT ('site:'::text || "left"(lower(search_entity_words.p_domain), 100))
   WHERE ((search_entity_words.p_type = 'url'::text) AND (search_entity_words.p_domain IS NOT NULL))
 UNION ALL
  SELECT ((('price:'::text || c.currency) || ':'::text) || millrace.search_price_shelf(search_entity_words.p_amount))
    FROM ( VALUES (''::text), (upper(search_entity_words.p_currency))) c(currency)
   WHERE ((search_entity_words.p_type = 'number'::text) AND (search_entity_words.p_subtype = 'price'::text) AND (search_entity_words.p_amount IS NOT NULL) AND (c.currency IS NOT NULL));
END;

CREATE OR REPLACE FUNCTION millrace.search_facets(p_mark text, p_segment_ids uuid[], p_is_whole boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE PARALLEL SAFE
BEGIN ATOMIC
 WITH hit AS MATERIALIZED (
          SELECT m.video_id,
             m.language,
             m.tsv
            FROM millrace.search_materialized m
           WHERE (m.segment_id = ANY (search_facets.p_segment_ids))
         ), value AS (
          SELECT
                 CASE
                     WHEN (w.word ^@ '@'::text) THEN 'mentions'::text
                     WHEN (w.word ^@ '#'::text) THEN 'hashtags'::text
                     WHEN (w.word ^@ 'site:'::text) THEN 'domains'::text
                     ELSE NULL::text
                 END AS kind,
                 CASE
                     WHEN (w.word ^@ 'site:'::text) THEN substr(w.word, 6)
                     ELSE substr(w.word, 2)
                 END AS value
            FROM ((hit
              CROSS JOIN LATERAL unnest(tsvector_to_array(hit.tsv)) l(lexeme))
              CROSS JOIN LATERAL ( SELECT substr(l.lexeme, 7) AS substr) w(word))
           WHERE ((substr(l.lexeme, 7, 1) = ANY (ARRAY['@'::text, '#'::text])) OR (substr(l.lexeme, 7, 5) = 'site:'::text))
         UNION ALL
          SELECT 'languages'::text,
             hit.language
            FROM hit
         UNION ALL
          SELECT 'videos'::text,
             (hit.video_id)::text AS video_id
            FROM hit
         ), counted AS (
          SELECT value.kind,
             value.value,
             count(*) AS n
            FROM value
           GROUP BY value.kind, value.value
         ), ranked AS (
          SELECT counted.kind,
             counted.value,
             counted.n,
             row_number() OVER (PARTITION BY counted.kind ORDER BY counted.n DESC, counted.value) AS rank
            FROM counted
         )
  SELECT (jsonb_build_object('isComplete', search_facets.p_is_whole) || COALESCE(jsonb_object_agg(k.kind, k.list), '{}'::jsonb))
    FROM ( SELECT ranked.kind,
             jsonb_agg(jsonb_build_object('value', ranked.value, 'count', ranked.n) ORDER BY ranked.rank) AS list
            FROM ranked
           WHERE (ranked.rank <= 10)
           GROUP BY ranked.kind) k;
END;

CREATE OR REPLACE FUNCTION millrace.search_lexeme(p_mark text, p_word text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((''''::text || p_mark) || replace(replace(p_word, '\'::text, '\\'::text), ''''::text, ''''''::text)) || ''''::text);

CREATE OR REPLACE FUNCTION millrace.search_mark(p_tenant_id uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN "left"(md5((p_tenant_id)::text), 6);

CREATE OR REPLACE FUNCTION millrace.search_score(p_tsv tsvector, p_confidence real, p_t_start bigint, p_t_end bigint, p_exact tsquery, p_near tsquery, p_adjacent tsquery)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((((CASE WHEN (p_tsv @@ p_exact) THEN (0.8)::double precision WHEN (p_tsv @@ p_near) THEN (0.6)::double precision ELSE (0.4)::double precision END + CASE WHEN (p_tsv @@ p_adjacent) THEN (0.09)::double precision ELSE (0)::double precision END) + ((0.05)::double precision * p_confidence)) + ((0.03)::double precision * CASE WHEN (p_t_start < 0) THEN (1)::double precision ELSE LEAST((ln(((1)::double precision + (((p_t_end - p_t_start))::double precision / (1000)::double precision))) / (8)::double precision), (1)::double precision) END)) + ((0.02)::double precision / (GREATEST(length(p_tsv), 1))::double precision));

CREATE OR REPLACE FUNCTION millrace.search_segments(p_tenant_id uuid, p_segment_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_words   text[];
  v_counts  integer[];
  v_videos  uuid[];
begin
  with written as (
    insert into millrace.search_materialized as m (segment_id, tenant_id, video_id, t_start, t_end, confidence, language, tsv)
    select v.segment_id, p_tenant_id, v.video_id, v.t_start, v.t_end, v.confidence, v.language, v.tsv
    from millrace.search_vectors(p_tenant_id, p_segment_ids) v
    on conflict (segment_id) do update
      set t_start = excluded.t_start, t_end = excluded.t_end, confidence = excluded.confidence, language = excluded.language, tsv = excluded.tsv
      where (m.t_start, m.t_end, m.confidence, m.language, m.tsv)
        is distinct from (excluded.t_start, excluded.t_end, excluded.confidence, excluded.language, excluded.tsv)
    returning new.video_id, old.tsv as old_tsv, new.tsv as new_tsv
  ), change as (
    select substr(lexeme, 7) as word, 1 as n from written cross join lateral unnest(tsvector_to_array(new_tsv)) as lexeme
    union all
    select substr(lexeme, 7), -1 from written cross join lateral unnest(tsvector_to_array(old_tsv)) as lexeme
    union all
    select '', 1 from written where old_tsv is null
  ), counted as (
    select word, sum(n)::integer as n from change group by word
  )
  select array_agg(word), array_agg(n), (select array_agg(video_id) from written where old_tsv is null)
  into v_words, v_counts, v_videos
  from counted;
  perform millrace.count_search_videos(p_tenant_id, v_videos);
  perform millrace.count_search_words(p_tenant_id, v_words, v_counts);
end $function$;

CREATE OR REPLACE FUNCTION millrace.search_tokens(p_text text)
 RETURNS TABLE(word text, place integer, piece integer, is_guess boolean)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
 WITH piece AS (
          SELECT w.piece,
             w.no
            FROM string_to_table(btrim(regexp_replace((millrace.search_fold(search_tokens.p_text) COLLATE pg_c_utf8), '\s+'::text, ' '::text, 'g'::text)), ' '::text) WITH ORDINALITY w(piece, no)
         ), found AS (
          SELECT w.no,
             m.found[1] AS word,
             m.part,
             1 AS kind
            FROM (piece w
              CROSS JOIN LATERAL regexp_matches((w.piece COLLATE pg_c_utf8), '[\u00a9\u00ae\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff\U0001f000-\U0001faff]|[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]|[^[:space:][:punct:][:cntrl:]\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+'::text, 'g'::text) WITH ORDINALITY m(found, part))
         UNION ALL
          SELECT w.no,
             m.found[1] AS found,
             m.part,
             2
            FROM (piece w
              CROSS JOIN LATERAL regexp_matches((w.piece COLLATE pg_c_utf8), '(?:^|[^[:alnum:]_@#])([@#][[:alnum:]_]+(?:[.-][[:alnum:]_]+)*)'::text, 'g'::text) WITH ORDINALITY m(found, part))
           WHERE ((strpos(w.piece, '@'::text) > 0) OR (strpos(w.piece, '#'::text) > 0))
         UNION ALL
          SELECT w.no,
             m.found[1] AS found,
             m.part,
             3
            FROM (piece w
              CROSS JOIN LATERAL regexp_matches((translate(w.piece, '|¦'::text, 'll'::text) COLLATE pg_c_utf8), '[[:alnum:]]+'::text, 'g'::text) WITH ORDINALITY m(found, part))
           WHERE (((w.piece COLLATE pg_c_utf8) ~ '[|¦][[:alpha:]]|[[:alpha:]][|¦]'::text) AND (strpos(m.found[1], 'l'::text) > 0))
         )
  SELECT "left"(f.word, 64) AS "left",
     (LEAST(dense_rank() OVER (ORDER BY f.no), (16000)::bigint))::integer AS "least",
     (f.no)::integer AS no,
     (f.kind = 3)
    FROM found f
   ORDER BY f.no, f.kind, f.part;
END;

CREATE OR REPLACE FUNCTION millrace.search_vectors(p_tenant_id uuid, p_segment_ids uuid[])
 RETURNS TABLE(segment_id uuid, video_id uuid, t_start bigint, t_end bigint, confidence real, language text, tsv tsvector)
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
BEGIN ATOMIC
 WITH source AS MATERIALIZED (
          SELECT s_1.id,
             s_1.video_id,
             s_1.t_start,
             s_1.t_end,
             s_1.confidence,
             s_1.language,
             s_1.text
            FROM millrace.segments s_1
           WHERE ((s_1.id = ANY (search_vectors.p_segment_ids)) AND (s_1.tenant_id = search_vectors.p_tenant_id))
         UNION ALL
          SELECT v_1.id,
             v_1.id,
             '-1'::integer,
             '-1'::integer,
             1,
             ''::text,
             v_1.title
            FROM millrace.videos v_1
           WHERE ((v_1.id = ANY (search_vectors.p_segment_ids)) AND (v_1.tenant_id = search_vectors.p_tenant_id))
         ), found AS (
          SELECT s_1.id,
             t.word,
             t.place
            FROM (source s_1
              CROSS JOIN LATERAL millrace.search_tokens("left"(s_1.text, 20000)) t(word, place, piece, is_guess))
         UNION ALL
          SELECT s_1.id,
                 CASE
                     WHEN (s_1.id = s_1.video_id) THEN 'title:'::text
                     ELSE ('lang:'::text || lower(s_1.language))
                 END AS "case",
             NULL::integer
            FROM source s_1
         UNION ALL
          SELECT e.segment_id,
             w.word,
             NULL::integer
            FROM (millrace.entities e
              CROSS JOIN LATERAL millrace.search_entity_words(e.entity_type, e.subtype, e.normalized_value, e.domain, e.amount, e.currency) w(word))
           WHERE ((e.segment_id = ANY (search_vectors.p_segment_ids)) AND (e.tenant_id = search_vectors.p_tenant_id))
         ), vector AS (
          SELECT f.id,
             (string_agg((millrace.search_lexeme(millrace.search_mark(search_vectors.p_tenant_id), f.word) || COALESCE((':'::text || f.place), ''::text)), ' '::text))::tsvector AS tsv
            FROM found f
           GROUP BY f.id
         )
  SELECT s.id,
     s.video_id,
     s.t_start,
     s.t_end,
     s.confidence,
     s.language,
     v.tsv
    FROM (source s
      JOIN vector v ON ((v.id = s.id)))
   ORDER BY s.video_id, s.t_start, s.id;
END;

CREATE OR REPLACE FUNCTION millrace.search_videos_page(p_request jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET row_security TO 'on'
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  c_ranked     constant integer := 3000;
  c_look       constant integer := 2500;
  c_budget     constant integer := 12000;
  v_tenant     uuid := millrace.current_tenant_id();
  v_mark       text := millrace.search_mark(v_tenant);
  v_size       integer := (p_request ->> 'size')::integer;
  v_hits       integer := (p_request ->> 'hits')::integer;
  v_videos     uuid[] := (select array_agg(v.id::uuid) from jsonb_array_elements_text(p_request -> 'videoIds') as v (id));
  v_from       bigint;
  v_to         bigint := coalesce((p_request ->> 'tEndMs')::bigint, 9223372036854775807);
  v_id_from    uuid := coalesce((p_request ->> 'idFrom')::uuid, '00000000-0000-0000-0000-000000000000');
  v_id_to      uuid := coalesce((p_request ->> 'idTo')::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  v_min        numeric := (p_request #>> '{price,min}')::numeric;
  v_max        numeric := (p_request #>> '{price,max}')::numeric;
  v_currency   text := upper(p_request #>> '{price,currency}');
  v_after      uuid := (p_request #>> '{after,videoId}')::uuid;
  v_score      double precision := (p_request #>> '{after,score}')::double precision;
  v_order      text := p_request #>> '{after,order}';
  v_group      jsonb;
  v_token      record;
  v_found      record;
  v_any        text;
  v_said       text;
  v_place      integer;
  v_count      bigint;
  v_least      bigint := 9223372036854775807;
  v_bounds     integer := 0;
  v_words      integer := 0;
  v_asked      boolean := false;
  v_is_open    boolean;
  v_full       text[] := '{}';
  v_index      text[] := '{}';
  v_wide       text[] := '{}';
  v_exact      text[] := '{}';
  v_near       text[] := '{}';
  v_beside     text := '';
  v_marked     text[] := '{}';
  v_begun      text[] := '{}';
  q_full       tsquery;
  q_priced     tsquery;
  q_index      tsquery;
  q_wide       tsquery;
  q_exact      tsquery;
  q_near       tsquery;
  q_beside     tsquery;
  v_segment    uuid[];
  v_video      uuid[];
  v_points     double precision[];
  v_starts     bigint[];
  v_all        uuid[] := '{}';
  v_all_video  uuid[] := '{}';
  v_all_points double precision[] := '{}';
  v_all_starts bigint[] := '{}';
  v_chunk      uuid[];
  v_rows       bigint;
  v_read       bigint := 0;
  v_step       integer := c_look;
  v_distinct   integer := 0;
  v_before     uuid;
  v_is_whole   boolean := true;
  v_result     jsonb;
begin
  if v_tenant is null then
    raise exception 'The transaction names no tenant to search in' using errcode = 'invalid_parameter_value';
  end if;

  -- What was asked for, as words that are there --------------------------------------------------------------------------
  for v_group in select g.value from jsonb_array_elements(p_request -> 'groups') as g loop
    v_asked := true;
    v_any := ''; v_place := null; v_is_open := false;
    for v_token in
      select t.word, t.place, row_number() over (order by t.place, t.no) = count(*) over () as is_last
      from millrace.search_tokens(v_group ->> 'text') with ordinality as t (word, place, piece, is_guess, no)
      -- Of `@name` only the whole, and elsewhere no wholes. What was typed is meant so: guesses are for what was read.
      where not t.is_guess and left(t.word, 1) in ('@', '#') = (v_group ->> 'kind' = 'entity')
      order by t.place, t.no
    loop
      v_said := ''; v_count := 0;
      declare
        l_exact text[] := '{}'; l_near text[] := '{}'; l_all text[] := '{}'; l_begins text[] := '{}'; l_prefixes integer := 0;
        l_exact_count bigint := 0; l_is_known boolean := false; l_prefix boolean; l_lexeme text;
      begin
        l_prefix := v_token.is_last and coalesce((v_group ->> 'prefix')::boolean, false)
          and (v_group ->> 'isTyping' is null or length(v_token.word) >= 3);
        if v_group ->> 'kind' = 'entity' then l_prefix := l_prefix and length(v_token.word) >= 2; end if;
        for v_found in select a.kind, a.word, a.segment_count from millrace.search_alternatives(v_tenant, v_token.word, l_prefix) a loop
          l_lexeme := millrace.search_lexeme(v_mark, v_found.word);
          if v_found.kind = 'exact' then
            l_exact := l_exact || l_lexeme; l_near := l_near || l_lexeme; l_exact_count := v_found.segment_count;
            l_is_known := l_exact_count >= 5;
          elsif v_found.kind = 'look' then
            l_near := l_near || l_lexeme;
          elsif v_found.kind = 'prefix' then
            l_prefixes := l_prefixes + 1;
            continue when l_prefixes > 200 or (l_is_known and v_group ->> 'isTyping' is not null and v_count + v_found.segment_count > c_ranked);
            l_near := l_near || l_lexeme;
          elsif v_found.kind = 'begin' then
            continue when l_is_known and v_count + v_found.segment_count > c_ranked;
            l_begins := l_begins || l_lexeme; l_near := l_near || l_lexeme;
          -- In quotes and after a minus a word means itself; a word of four letters has too many neighbours to look at them unasked;
          -- and a common word is no misreading of one that is known.
          elsif v_group ->> 'kind' <> 'word' or coalesce((v_group ->> 'isExcluded')::boolean, false)
                or length(v_token.word) < 4 or (length(v_token.word) = 4 and l_exact_count > 0)
                or (l_is_known and v_count + v_found.segment_count > c_ranked) then
            continue;
          end if;
          l_all := l_all || l_lexeme;
          v_count := v_count + v_found.segment_count;
          v_marked := v_marked || (v_mark || v_found.word);
        end loop;
        if l_prefixes > 200 and not (l_is_known and v_group ->> 'isTyping' is not null) then
          v_is_open := true;
          l_lexeme := millrace.search_lexeme(v_mark, v_token.word) || ':*';
          -- More words than to name them one by one.
          l_all := l_lexeme || l_begins; l_near := l_all;
          v_begun := v_begun || (v_mark || v_token.word);
        elsif cardinality(l_all) = 0 then
          -- A word that nobody has: it matches nothing, under a name that nothing has.
          l_all := array[millrace.search_lexeme(v_mark, v_token.word)];
        end if;
        v_said := '(' || array_to_string(l_all, '|') || ')';
        v_any := v_any || case when v_any = '' then '' when v_group ->> 'kind' = 'phrase' then ' <' || v_token.place - v_place || '> ' else ' & ' end || v_said;
        if not coalesce((v_group ->> 'isExcluded')::boolean, false) then
          if not v_is_open then
            v_least := least(v_least, v_count);
            v_bounds := v_bounds + 1;
          end if;
          if v_group ->> 'kind' <> 'phrase' then
            v_exact := v_exact || ('(' || array_to_string(l_exact, '|') || ')');
            v_near := v_near || ('(' || array_to_string(l_near, '|') || ')');
          end if;
          if v_group ->> 'kind' = 'word' then
            v_words := v_words + 1;
            v_beside := v_beside || case when v_beside = '' then '' when v_place is not null then ' <0> ' else ' <-> ' end || v_said;
          end if;
        end if;
        v_place := v_token.place;
      end;
    end loop;
    continue when v_any = '';
    if coalesce((v_group ->> 'isExcluded')::boolean, false) then
      v_full := v_full || ('!(' || v_any || ')');
    else
      v_full := v_full || ('(' || v_any || ')');
      v_wide := v_wide || ('(' || v_any || ')');
      if not v_is_open then v_index := v_index || ('(' || v_any || ')'); end if;
      if v_group ->> 'kind' = 'phrase' then
        v_exact := v_exact || ('(' || v_any || ')'); v_near := v_near || ('(' || v_any || ')');
      end if;
    end if;
  end loop;
  -- Titles answer words, and are shown at no time of the video.
  v_from := coalesce((p_request ->> 'tStartMs')::bigint,
                     case when cardinality(v_wide) > 0 and p_request ->> 'tEndMs' is null then -1 else 0 end);
  -- Nothing but marks was asked for: nothing has those.
  if v_asked and cardinality(v_full) = 0 then v_least := 0; end if;

  for v_group in
    select (select jsonb_agg(millrace.search_fold(w.word)) from jsonb_array_elements_text(e.value) as w (word))
    from jsonb_array_elements(p_request -> 'anyOf') as e
    union all
    -- Prices by the shelves that the range goes over.
    select jsonb_agg('price:' || coalesce(v_currency, '') || ':' || shelf)
    from generate_series(millrace.search_price_shelf(coalesce(v_min, 0)), millrace.search_price_shelf(coalesce(v_max, 1000000000))) as shelf
    where p_request -> 'price' is not null
    having count(*) > 0
  loop
    select string_agg(millrace.search_lexeme(v_mark, w.word), '|'), coalesce(sum(s.segment_count), 0)
    into v_any, v_count
    from jsonb_array_elements_text(v_group) as w (word)
    cross join lateral (select sum(c.segment_count) as segment_count from millrace.search_words c
                        where c.tenant_id = v_tenant and c.word = w.word) s
    where s.segment_count > 0;
    v_least := least(v_least, v_count);
    v_bounds := v_bounds + 1;
    v_marked := v_marked || array(select v_mark || w.word from jsonb_array_elements_text(v_group) as w (word));
    v_full := v_full || ('(' || v_any || ')'); v_index := v_index || ('(' || v_any || ')'); v_wide := v_wide || ('(' || v_any || ')');
  end loop;

  -- What stands on a shelf between the first and the last one is in the range; the others' prices are looked at.
  select string_agg(millrace.search_lexeme(v_mark, 'price:' || coalesce(v_currency, '') || ':' || shelf), '|')::tsquery into q_priced
  from generate_series(millrace.search_price_shelf(coalesce(v_min, 0)) + case when v_min is null then 0 else 1 end,
                       millrace.search_price_shelf(coalesce(v_max, 1000000000)) - case when v_max is null then 0 else 1 end) as shelf
  where p_request -> 'price' is not null;

  if v_least > 0 then
    q_full := nullif(array_to_string(v_full, ' & '), '')::tsquery;
    q_index := nullif(array_to_string(v_index, ' & '), '')::tsquery;
    q_wide := nullif(array_to_string(v_wide, ' & '), '')::tsquery;
    -- `()` stands for a word that has no such form: nothing matches so well.
    q_exact := case when not '()' = any (v_exact) then nullif(array_to_string(v_exact, ' & '), '')::tsquery end;
    q_near := case when not '()' = any (v_near) then nullif(array_to_string(v_near, ' & '), '')::tsquery end;
    q_beside := case when v_words > 1 then v_beside::tsquery end;
  end if;

  -- Which way ------------------------------------------------------------------------------------------------------------
  if v_order is null and v_least > c_ranked then
    v_order := 'newest';
    if v_bounds > 1 then
      -- Common words may meet seldom: as often as in the newest videos, presumably.
      select array_agg(r.video_id), sum(r.segment_count) into v_chunk, v_rows from (
        select v.video_id, v.segment_count, sum(v.segment_count) over (order by v.video_id desc) as running
        from (select * from millrace.search_videos s where s.tenant_id = v_tenant order by s.video_id desc limit 200) v
      ) r where r.running - r.segment_count < c_look;
      select count(*) into v_count from (
        select m.tsv from millrace.search_materialized m where m.tenant_id = v_tenant and m.video_id = any (v_chunk) offset 0
      ) m where m.tsv @@ q_full;
      if v_count * coalesce((select sum(w.segment_count) from millrace.search_words w where w.tenant_id = v_tenant and w.word = ''), 0)
         <= 2 * c_ranked * greatest(v_rows, 1) then
        v_order := 'perhaps';
      end if;
    end if;
  end if;
  v_order := coalesce(v_order, 'relevance');

  -- What matches -------------------------------------------------------------------------------------------------------------
  if v_least = 0 then
    v_order := 'relevance';
  elsif v_order <> 'newest' then
    with candidate as materialized (
      select m.* from millrace.search_materialized m where m.tsv @@ q_index
      -- Twice as many: they may have grown since the first page, which was ranked.
      limit case v_order when 'perhaps' then c_ranked + 1 else 2 * c_ranked end
    )
    select array_agg(h.segment_id), array_agg(h.video_id), array_agg(h.points), array_agg(h.t_start), (select count(*) from candidate)
    into v_all, v_all_video, v_all_points, v_all_starts, v_count
    from (
      select c.segment_id, c.video_id, c.t_start,
             millrace.search_score(c.tsv, c.confidence, c.t_start, c.t_end, q_exact, q_near, q_beside) as points
      from candidate c
      where c.tenant_id = v_tenant and c.tsv @@ q_full and c.t_end >= v_from and c.t_start <= v_to
        and c.video_id between v_id_from and v_id_to and (v_videos is null or c.video_id = any (v_videos))
        and (p_request -> 'price' is null or c.tsv @@ q_priced or exists (
          select from millrace.entities e where e.segment_id = c.segment_id and e.subtype = 'price'
            and e.amount between coalesce(v_min, e.amount) and coalesce(v_max, e.amount) and (v_currency is null or e.currency = v_currency)))
    ) h;
    if v_order = 'perhaps' then
      v_order := case when v_count > c_ranked then 'newest' else 'relevance' end;
    end if;
  end if;
  if v_order = 'newest' then
    v_all := '{}'; v_all_video := '{}'; v_all_points := '{}'; v_all_starts := '{}';
    v_before := v_after;
    loop
      if v_read > c_budget and q_wide is not null then
        -- Not in the newest videos: the index says in which ones.
        select array_agg(n.video_id) into v_chunk from (
          select m.video_id from (select w.* from millrace.search_materialized w where w.tsv @@ q_wide offset 0) m
          where m.tenant_id = v_tenant and m.tsv @@ q_full and (v_before is null or m.video_id < v_before)
            and m.t_end >= v_from and m.t_start <= v_to
            and m.video_id between v_id_from and v_id_to and (v_videos is null or m.video_id = any (v_videos))
            and (p_request -> 'price' is null or m.tsv @@ q_priced or exists (
              select from millrace.entities e where e.segment_id = m.segment_id and e.subtype = 'price'
                and e.amount between coalesce(v_min, e.amount) and coalesce(v_max, e.amount) and (v_currency is null or e.currency = v_currency)))
          group by m.video_id order by m.video_id desc limit v_size + 1 - v_distinct
        ) n;
        v_is_whole := false;
      else
        select array_agg(r.video_id order by r.video_id desc), sum(r.segment_count) into v_chunk, v_rows from (
          select v.video_id, v.segment_count, sum(v.segment_count) over (order by v.video_id desc) as running
          from (
            select s.video_id, s.segment_count from millrace.search_videos s
            where s.tenant_id = v_tenant and s.video_id < coalesce(v_before, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
              and s.video_id between v_id_from and v_id_to and (v_videos is null or s.video_id = any (v_videos))
            order by s.video_id desc limit 400
          ) v
        ) r where r.running - r.segment_count < v_step;
        v_read := v_read + coalesce(v_rows, 0);
        v_step := least(2 * v_step, 4 * c_look);
      end if;
      exit when v_chunk is null;
      select array_agg(m.segment_id), array_agg(m.video_id), array_agg(m.t_start), count(distinct m.video_id),
             array_agg(millrace.search_score(m.tsv, m.confidence, m.t_start, m.t_end, q_exact, q_near, q_beside))
      into v_segment, v_video, v_starts, v_count, v_points
      from millrace.search_materialized m
      where m.tenant_id = v_tenant and m.video_id = any (v_chunk) and (q_full is null or m.tsv @@ q_full)
        and m.t_end >= v_from and m.t_start <= v_to
        and (p_request -> 'price' is null or m.tsv @@ q_priced or exists (
          select from millrace.entities e where e.segment_id = m.segment_id and e.subtype = 'price'
            and e.amount between coalesce(v_min, e.amount) and coalesce(v_max, e.amount) and (v_currency is null or e.currency = v_currency)));
      v_all := v_all || v_segment; v_all_video := v_all_video || v_video;
      v_all_points := v_all_points || v_points; v_all_starts := v_all_starts || v_starts;
      v_distinct := v_distinct + v_count;
      v_before := v_chunk[cardinality(v_chunk)];
      exit when not v_is_whole or v_distinct > v_size;
    end loop;
  end if;

  -- The page -----------------------------------------------------------------------------------------------------------------
  with hit as materialized (
    select * from unnest(v_all, v_all_video, v_all_points, v_all_starts) as h (segment_id, video_id, points, t_start)
  ), video as (
    select h.video_id, max(h.points) + least(0.002::double precision * ln(count(*)::double precision), 0.01::double precision) as score, 
           count(*) filter (where h.segment_id <> h.video_id) as hit_count, bool_or(h.segment_id = h.video_id) as has_title
    from hit h group by h.video_id
  ), page as materialized (
    select v.*, row_number() over (order by case v_order when 'relevance' then v.score end desc, v.video_id desc) as place
    from video v
    where v_order = 'newest' or v_after is null or (v.score, v.video_id) < (v_score, v_after)
    order by place
    limit v_size + 1
  ), best as materialized (
    select h.*, p.place, row_number() over (partition by h.video_id order by h.points desc, h.t_start, h.segment_id) as rank
    from hit h join page p on p.video_id = h.video_id
    where p.place <= v_size and h.segment_id <> h.video_id
  ), shown as materialized (
    select b.video_id, jsonb_agg(jsonb_build_object('segmentId', b.segment_id, 'score', b.points, 'places', coalesce((
             select jsonb_agg(distinct t.piece)
             from millrace.segments s cross join lateral millrace.search_tokens(left(s.text, 20000)) t
             where s.id = b.segment_id
               and (v_mark || t.word = any (v_marked) or exists (select from unnest(v_begun) as x where starts_with(v_mark || t.word, x)))
           ), '[]')) order by b.rank) as hits
    from best b where b.rank <= v_hits group by b.video_id
  )
  select jsonb_build_object(
    'order', v_order,
    'hasNextPage', (select count(*) > v_size from page),
    'videoCount', case v_order when 'relevance' then (select count(*) from video) end,
    'hitCount', case v_order when 'relevance' then (select count(*) from hit where segment_id <> video_id) end,
    'videos', coalesce((
      select jsonb_agg(jsonb_build_object('videoId', p.video_id, 'score', p.score, 'hitCount', p.hit_count, 'hits', coalesce(s.hits, '[]'),
               'titlePlaces', case when p.has_title then (
                 select jsonb_agg(distinct t.piece)
                 from millrace.videos v cross join lateral millrace.search_tokens(v.title) t
                 where v.id = p.video_id
                   and (v_mark || t.word = any (v_marked) or exists (select from unnest(v_begun) as x where starts_with(v_mark || t.word, x)))
               ) end) order by p.place)
      from page p left join shown s on s.video_id = p.video_id
      where p.place <= v_size
    ), '[]'))
  into v_result;

  if (p_request ->> 'hasFacets')::boolean then
    v_result := v_result || jsonb_build_object('facets',
      millrace.search_facets(v_mark, array(select f.id from unnest(v_all, v_all_video) as f (id, video_id) where f.id <> f.video_id), v_order = 'relevance'));
  end if;
  return v_result;
end $function$;

CREATE OR REPLACE FUNCTION millrace.settle_jobs(p_ids uuid[], p_run_nos integer[], p_tokens uuid[], p_statuses text[], p_results jsonb[], p_errors jsonb[], p_reasons text[], p_delay_seconds double precision[], p_outcomes text[], p_started_seconds double precision[], p_wall_ms integer[], p_cpu_ms integer[])
 RETURNS TABLE(job_id uuid, released text)
 LANGUAGE sql
AS $function$
  select i.id, s.released
  from millrace.settle_runs(p_ids, p_run_nos, p_tokens, p_statuses, p_results, p_errors, p_reasons, p_delay_seconds, p_outcomes,
                            p_started_seconds, p_wall_ms, p_cpu_ms) s,
       unnest(p_ids) as i (id)
  where i.id <> all (coalesce(s.kept, '{}'))
$function$;

CREATE OR REPLACE FUNCTION millrace.settle_runs(p_ids uuid[], p_run_nos integer[], p_tokens uuid[], p_statuses text[], p_results jsonb[], p_errors jsonb[], p_reasons text[], p_delay_seconds double precision[], p_outcomes text[], p_started_seconds double precision[], p_wall_ms integer[], p_cpu_ms integer[])
 RETURNS TABLE(kept uuid[], released text)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_nestloop TO 'off'
AS $function$
declare
  v_now      timestamptz := clock_timestamp();
  v_moved    uuid[];
  v_final    uuid[];
  v_tenants  uuid[];
  v_definitions uuid[];
  v_kept     uuid[];
  v_released text;
begin
  -- In one order, so that two that share rows cannot wait for each other. No `status = 'running'` here or below: the planner would
  -- take the index of running rows and wade through its dead entries, four times slower. The token is the guard.
  perform from millrace.jobs j where j.id = any (p_ids) and j.lease_token = any (p_tokens) order by j.id for no key update;

  with input as materialized (
    -- A column of one value says it of every run: most of a batch ended alike, and reading the same 500 times is a twentieth of it.
    select t.id,
           case when cardinality(p_run_nos)  = 1 then p_run_nos[1]  else t.run_no  end as run_no,
           case when cardinality(p_tokens)   = 1 then p_tokens[1]   else t.token   end as token,
           case when cardinality(p_statuses) = 1 then p_statuses[1] else t.status  end as status,
           case when cardinality(p_results)  = 1 then p_results[1]  else t.result  end as result,
           t.error, t.reason, t.delay_seconds,
           case when cardinality(p_outcomes) = 1 then p_outcomes[1] else t.outcome end as outcome,
           t.started_seconds,
           case when cardinality(p_wall_ms)  = 1 then p_wall_ms[1]  else t.wall_ms end as wall_ms,
           t.cpu_ms
    from unnest(p_ids, p_run_nos, p_tokens, p_statuses, p_results, p_errors, p_reasons, p_delay_seconds, p_outcomes,
                p_started_seconds, p_wall_ms, p_cpu_ms)
      as t (id, run_no, token, status, result, error, reason, delay_seconds, outcome, started_seconds, wall_ms, cpu_ms)
  ), moved as (
    update millrace.jobs j
    set status = i.status,
        result = i.result,
        last_error = case when i.status = 'succeeded' then null else coalesce(i.error, j.last_error) end,
        reason = coalesce(i.reason, case when i.status = 'succeeded' and j.cancel_requested_at is not null
                                         then 'It was done before it could be canceled.' end),
        scheduled_for = case when i.status = 'queued'
                             then greatest(j.scheduled_for, clock_timestamp() + coalesce(i.delay_seconds, 0) * interval '1 second')
                             else j.scheduled_for end,
        attempt_count = j.attempt_count + case when i.outcome in ('failed', 'timeout') then 1 else 0 end,
        snooze_count = j.snooze_count + case when i.outcome = 'snoozed' then 1 else 0 end,
        -- A hand-back is not a settled run, and neither is one that never ran: the count of lost leases stays.
        lost_lease_count = case when i.outcome is null or i.outcome = 'handed_back' then j.lost_lease_count else 0 end,
        -- The worker counts in whole milliseconds.
        started_at = case when i.started_seconds is null then j.started_at
                          else greatest(to_timestamp(i.started_seconds), j.claimed_at) end,
        finished_at = case when i.status = 'queued' then null else clock_timestamp() end,
        -- Its record is this row itself: `job_attempts` and `usage_events` read it from here.
        wall_ms = case when i.status = 'succeeded' and i.outcome = 'succeeded' then i.wall_ms end,
        cpu_ms = case when i.status = 'succeeded' and i.outcome = 'succeeded' then i.cpu_ms end,
        lease_token = null,
        lease_expires_at = null,
        version = j.version + 1,
        changed_xid = pg_current_xact_id()
    from input i
    -- By the array as well: it is what the index is asked for, so that the join has 500 rows on either side and no more, also where the
    -- statistics say that the table is empty and reading it whole looks cheapest.
    where j.id = any (p_ids) and j.id = i.id and j.run_no = i.run_no and j.lease_token = i.token
      and not (i.status = 'queued' and j.cancel_requested_at is not null)
    returning j.id, j.tenant_id, j.definition_id, j.status, j.run_no, j.claimed_by_worker, j.claimed_at, j.started_at,
              i.outcome, i.error, i.wall_ms, i.cpu_ms,
              j.wall_ms is not null as is_own_record
  ), attempts as (
    -- A snooze spends nothing and a hand-back is none: neither is an attempt.
    insert into millrace.stored_attempts
      (job_id, attempt_no, tenant_id, worker_id, status, claimed_at, started_at, finished_at, error, wall_ms, cpu_ms)
    select m.id, m.run_no, m.tenant_id, m.claimed_by_worker, m.outcome, m.claimed_at, m.started_at, v_now, m.error, m.wall_ms, m.cpu_ms
    from moved m where m.outcome not in ('snoozed', 'handed_back') and not m.is_own_record
  ), used as (
    insert into millrace.stored_usage_events (tenant_id, definition_id, job_id, attempt_no, outcome, wall_ms, cpu_ms, created_at)
    select m.tenant_id, m.definition_id, m.id, m.run_no, m.outcome, m.wall_ms, m.cpu_ms, v_now
    from moved m where m.outcome is not null and not m.is_own_record
  )
  select array_agg(m.id), array_agg(m.id) filter (where m.status <> 'queued'),
         array_agg(distinct m.tenant_id), array_agg(distinct m.definition_id)
  into v_moved, v_final, v_tenants, v_definitions from moved m;

  v_released := millrace.let_go(v_final, v_tenants, v_definitions);
  if cardinality(v_moved) is distinct from cardinality(p_ids) then
    select array_agg(i) into v_kept from unnest(p_ids) as i where i <> all (coalesce(v_moved, '{}'));
  end if;
  return query select v_kept, v_released;
end $function$;

CREATE OR REPLACE FUNCTION millrace.stamp_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if tg_op = 'UPDATE' then
    new.version := old.version + 1;
  end if;
  new.changed_xid := pg_current_xact_id();
  return new;
end $function$;

CREATE OR REPLACE FUNCTION millrace.stamp_job_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if old.status = 'running' and new.status = 'running' and new.version = old.version
     and new.lease_expires_at is distinct from old.lease_expires_at
     and current_setting('millrace.bell', true) is not distinct from 'after_commit' then
    return new;
  end if;
  new.version := old.version + 1;
  new.changed_xid := pg_current_xact_id();
  return new;
end $function$;

CREATE OR REPLACE FUNCTION millrace.starts_in_period(p_starts integer[], p_newest_slot bigint, p_slot bigint)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT (COALESCE(sum((starts_in_period.p_starts)[(1 + (s.s % (21)::bigint))]), (0)::bigint))::integer AS "coalesce" FROM generate_series((GREATEST(starts_in_period.p_slot, starts_in_period.p_newest_slot) - 20), starts_in_period.p_newest_slot) s(s));

CREATE OR REPLACE FUNCTION millrace.store_attempt()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  insert into millrace.stored_attempts
    (job_id, attempt_no, tenant_id, worker_id, status, claimed_at, started_at, finished_at, error, wall_ms, cpu_ms, exit_code,
     stdout_tail, stderr_tail)
  values
    (new.job_id, new.attempt_no, new.tenant_id, new.worker_id, new.status, new.claimed_at, new.started_at, new.finished_at, new.error,
     new.wall_ms, new.cpu_ms, new.exit_code, new.stdout_tail, new.stderr_tail);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION millrace.store_usage_event()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  insert into millrace.stored_usage_events (tenant_id, definition_id, job_id, attempt_no, outcome, wall_ms, cpu_ms, created_at)
  values (new.tenant_id, new.definition_id, new.job_id, new.attempt_no, new.outcome, new.wall_ms, new.cpu_ms, new.created_at);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION millrace.succeed_runs(p_ids uuid[], p_run_nos integer[], p_tokens uuid[], p_results jsonb[], p_started_seconds double precision[], p_wall_ms integer[], p_cpu_ms integer[])
 RETURNS TABLE(kept uuid[], released text)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_nestloop TO 'off'
AS $function$
declare
  v_moved    uuid[];
  v_tenants  uuid[];
  v_definitions uuid[];
  v_kept     uuid[];
  v_released text;
begin
  with moved as (
    update millrace.jobs j
    set status = 'succeeded',
        result = case when cardinality(p_results) = 1 then p_results[1] else i.result end,
        last_error = null,
        reason = case when j.cancel_requested_at is not null then 'It was done before it could be canceled.' end,
        lost_lease_count = 0,
        started_at = greatest(to_timestamp(i.started_seconds), j.claimed_at),
        finished_at = clock_timestamp(),
        wall_ms = case when cardinality(p_wall_ms) = 1 then p_wall_ms[1] else i.wall_ms end,
        cpu_ms = i.cpu_ms,
        lease_token = null,
        lease_expires_at = null,
        version = j.version + 1,
        changed_xid = pg_current_xact_id()
    from unnest(p_ids, p_run_nos, p_tokens, p_results, p_started_seconds, p_wall_ms, p_cpu_ms)
      as i (id, run_no, token, result, started_seconds, wall_ms, cpu_ms)
    -- By the array as well, see settle_runs. Of run numbers and tokens none is null, so that a null is one that is said of all.
    where j.id = any (p_ids) and j.id = i.id
      and j.run_no = coalesce(i.run_no, p_run_nos[1]) and j.lease_token = coalesce(i.token, p_tokens[1])
    returning j.id, j.tenant_id, j.definition_id
  )
  select array_agg(m.id), array_agg(distinct m.tenant_id), array_agg(distinct m.definition_id)
  into v_moved, v_tenants, v_definitions from moved m;

  v_released := millrace.let_go(v_moved, v_tenants, v_definitions);
  if cardinality(v_moved) is distinct from cardinality(p_ids) then
    select array_agg(i) into v_kept from unnest(p_ids) as i where i <> all (coalesce(v_moved, '{}'));
  end if;
  return query select v_kept, v_released;
end $function$;

CREATE OR REPLACE FUNCTION millrace.waiting_for(p_job_ids uuid[])
 RETURNS TABLE(job_id uuid, reason text, scope text, allowed integer, period_seconds integer, until timestamp with time zone)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET row_security TO 'on'
AS $function$
  with job as materialized (
    select j.* from millrace.jobs j
    where j.id = any (p_job_ids) and j.tenant_id = millrace.current_tenant_id() and j.status = 'queued'
  ), lane as materialized (
    select d.id as definition_id, d.paused_at as definition_paused_at,
           coalesce(t.paused_at, t.deleted_at) as tenant_paused_at,
           exists (select from millrace.job_workers w
                   where w.last_seen_at > clock_timestamp() - interval '30 seconds' and w.stopping_at is null
                     and d.key = any (w.definition_keys)) as is_served,
           b.scope, b.allowed, b.period_seconds, b.until
    from (select distinct definition_id from job) l
    join millrace.job_definitions d on d.id = l.definition_id
    join millrace.tenants t on t.id = millrace.current_tenant_id()
    left join millrace.lane_limits q on q.tenant_id = t.id and q.definition_id = d.id
    left join lateral (
      -- The first limit in the way: one that is reached before a rate that is used up.
      select x.scope, x.allowed, x.period_seconds, x.until
      from (
        select 1 as rank, 'definition' as scope, d.max_running as allowed, null::integer as period_seconds, null::timestamptz as until
        where d.max_running is not null and millrace.running_count(null, d.id, d.max_running) >= d.max_running
        union all
        select 2, 'tenant', t.max_running, null, null
        where t.max_running is not null and millrace.running_count(t.id, null, t.max_running) >= t.max_running
        union all
        select 3, 'lane', m.max_running, null, null
        from (select coalesce(q.max_running, d.max_running_per_tenant) as max_running) m
        where m.max_running is not null and millrace.running_count(t.id, d.id, m.max_running) >= m.max_running
        union all
        select 4, r.scope, r.rate, r.period_seconds, f.until
        from (values
          ('definition', null, d.id, d.rate_limit_count, d.rate_limit_period_seconds),
          ('tenant', t.id, null, t.rate_limit_count, t.rate_limit_period_seconds),
          ('lane', t.id, d.id, coalesce(q.rate_limit_count, d.rate_limit_per_tenant_count),
           coalesce(q.rate_limit_period_seconds, d.rate_limit_per_tenant_period_seconds))
        ) r (scope, tenant_id, definition_id, rate, period_seconds)
        cross join lateral (
          select case when r.rate is null then '-infinity'
                      else millrace.rate_free_at(r.scope, r.tenant_id, r.definition_id, r.rate, r.period_seconds) end as until
        ) f
        where f.until > clock_timestamp()
      ) x
      order by x.rank, x.until desc limit 1
    ) b on true
  )
  select j.id, v.reason,
         case v.reason when 'paused' then case when l.definition_paused_at is not null then 'definition' else 'tenant' end
                       when 'limit' then l.scope when 'rate' then l.scope end,
         case v.reason when 'dependency' then j.pending_dependencies when 'limit' then l.allowed when 'rate' then l.allowed end,
         case v.reason when 'rate' then l.period_seconds end,
         case v.reason when 'time' then j.scheduled_for when 'rate' then l.until end
  from job j
  join lane l on l.definition_id = j.definition_id
  cross join lateral (
    select case
      when j.cancel_requested_at is not null then 'doomed'
      when j.expires_at <= clock_timestamp() then 'expired'
      when j.pending_dependencies > 0 then 'dependency'
      when l.definition_paused_at is not null or l.tenant_paused_at is not null then 'paused'
      when j.scheduled_for > clock_timestamp() then 'time'
      when not l.is_served then 'no_worker'
      when l.scope is not null and l.period_seconds is null then 'limit'
      when l.scope is not null then 'rate'
      else 'turn' end as reason
  ) v
$function$;

grant create on schema millrace to millrace_worker;
alter function millrace.enqueue(text,jsonb,text,integer,timestamp with time zone,text,integer,integer,integer,timestamp with time zone,uuid[],text,text,text,text,text,text[],jsonb) owner to millrace_worker;
alter function millrace.find_api_key(bytea) owner to millrace_worker;
alter function millrace.forget_listed_jobs() owner to millrace_worker;
alter function millrace.forget_named_jobs() owner to millrace_worker;
alter function millrace.forget_search_segments() owner to millrace_worker;
alter function millrace.forget_search_titles() owner to millrace_worker;
alter function millrace.index_search_title() owner to millrace_worker;
alter function millrace.index_search_titles() owner to millrace_worker;
alter function millrace.list_jobs() owner to millrace_worker;
alter function millrace.mark_search_entities() owner to millrace_worker;
alter function millrace.mark_search_segments() owner to millrace_worker;
alter function millrace.refresh_search_materialized(uuid) owner to millrace_worker;
alter function millrace.refuse_argument(text,text,text) owner to millrace_worker;
alter function millrace.refuse_inexact_numbers(jsonb) owner to millrace_worker;
alter function millrace.search_videos_page(jsonb) owner to millrace_worker;
alter function millrace.waiting_for(uuid[]) owner to millrace_worker;
revoke create on schema millrace from millrace_worker;
create view millrace.job_attempts with (security_invoker=true) as  SELECT stored_attempts.job_id,
    stored_attempts.attempt_no,
    stored_attempts.tenant_id,
    stored_attempts.worker_id,
    stored_attempts.status,
    stored_attempts.claimed_at,
    stored_attempts.started_at,
    stored_attempts.finished_at,
    stored_attempts.error,
    stored_attempts.wall_ms,
    stored_attempts.cpu_ms,
    stored_attempts.exit_code,
    stored_attempts.stdout_tail,
    stored_attempts.stderr_tail
   FROM millrace.stored_attempts
UNION ALL
 SELECT jobs.id AS job_id,
    jobs.run_no AS attempt_no,
    jobs.tenant_id,
    jobs.claimed_by_worker AS worker_id,
    jobs.status,
    jobs.claimed_at,
    jobs.started_at,
    jobs.finished_at,
    NULL::jsonb AS error,
    jobs.wall_ms,
    jobs.cpu_ms,
    NULL::integer AS exit_code,
    NULL::text AS stdout_tail,
    NULL::text AS stderr_tail
   FROM millrace.jobs
  WHERE ((jobs.status = 'succeeded'::text) AND (jobs.wall_ms IS NOT NULL));
create view millrace.usage_events with (security_invoker=true) as  SELECT stored_usage_events.id,
    stored_usage_events.tenant_id,
    stored_usage_events.definition_id,
    stored_usage_events.job_id,
    stored_usage_events.attempt_no,
    stored_usage_events.outcome,
    stored_usage_events.wall_ms,
    stored_usage_events.cpu_ms,
    stored_usage_events.created_at
   FROM millrace.stored_usage_events
UNION ALL
 SELECT NULL::bigint AS id,
    jobs.tenant_id,
    jobs.definition_id,
    jobs.id AS job_id,
    jobs.run_no AS attempt_no,
    jobs.status AS outcome,
    jobs.wall_ms,
    jobs.cpu_ms,
    jobs.finished_at AS created_at
   FROM millrace.jobs
  WHERE ((jobs.status = 'succeeded'::text) AND (jobs.wall_ms IS NOT NULL) AND (jobs.finished_at IS NOT NULL));
alter view millrace.job_attempts alter column finished_at set default now();
alter view millrace.usage_events alter column created_at set default now();
CREATE TRIGGER api_keys_bell AFTER DELETE OR UPDATE ON millrace.api_keys FOR EACH ROW EXECUTE FUNCTION millrace.ring_identity_bell();
CREATE TRIGGER artifacts_references BEFORE INSERT OR UPDATE OF job_id ON millrace.artifacts FOR EACH ROW WHEN (((new.job_id IS NOT NULL) AND (COALESCE(current_setting('millrace.bell'::text, true), ''::text) <> 'after_commit'::text))) EXECUTE FUNCTION millrace.check_named_jobs('job_id');
CREATE TRIGGER clips_bell AFTER INSERT OR DELETE OR UPDATE ON millrace.clips FOR EACH STATEMENT WHEN ((COALESCE(current_setting('millrace.bell'::text, true), ''::text) <> 'after_commit'::text)) EXECUTE FUNCTION millrace.ring_bell();
CREATE TRIGGER clips_bury AFTER DELETE ON millrace.clips REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION millrace.bury_clips();
CREATE TRIGGER clips_references BEFORE INSERT OR UPDATE OF job_id ON millrace.clips FOR EACH ROW WHEN (((new.job_id IS NOT NULL) AND (COALESCE(current_setting('millrace.bell'::text, true), ''::text) <> 'after_commit'::text))) EXECUTE FUNCTION millrace.check_named_jobs('job_id');
CREATE TRIGGER clips_stamp_insert BEFORE INSERT ON millrace.clips FOR EACH ROW WHEN ((new.changed_xid IS DISTINCT FROM pg_current_xact_id())) EXECUTE FUNCTION millrace.stamp_change();
CREATE TRIGGER clips_stamp_update BEFORE UPDATE ON millrace.clips FOR EACH ROW WHEN (((new.version IS DISTINCT FROM (old.version + 1)) OR (new.changed_xid IS DISTINCT FROM pg_current_xact_id()))) EXECUTE FUNCTION millrace.stamp_change();
CREATE TRIGGER entities_search_delete AFTER DELETE ON millrace.entities REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION millrace.mark_search_entities();
CREATE TRIGGER entities_search_insert AFTER INSERT ON millrace.entities REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION millrace.mark_search_entities();
CREATE TRIGGER entities_search_update AFTER UPDATE ON millrace.entities REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION millrace.mark_search_entities();
CREATE TRIGGER job_definitions_keep BEFORE DELETE ON millrace.job_definitions FOR EACH ROW EXECUTE FUNCTION millrace.refuse_delete_with_jobs();
CREATE TRIGGER job_dependencies_references BEFORE INSERT OR UPDATE OF job_id, depends_on_id ON millrace.job_dependencies FOR EACH ROW WHEN ((COALESCE(current_setting('millrace.bell'::text, true), ''::text) <> 'after_commit'::text)) EXECUTE FUNCTION millrace.check_named_jobs('job_id', 'depends_on_id');
CREATE TRIGGER jobs_bell AFTER INSERT OR DELETE OR UPDATE ON millrace.jobs FOR EACH STATEMENT WHEN ((current_setting('millrace.bell'::text, true) IS DISTINCT FROM 'after_commit'::text)) EXECUTE FUNCTION millrace.ring_bell();
CREATE TRIGGER jobs_bury AFTER DELETE ON millrace.jobs REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION millrace.bury_jobs();
CREATE TRIGGER jobs_labels_update BEFORE UPDATE OF tags, metadata ON millrace.jobs FOR EACH ROW EXECUTE FUNCTION millrace.check_job_labels();
CREATE TRIGGER jobs_legal_move BEFORE UPDATE ON millrace.jobs FOR EACH ROW WHEN ((NOT (((old.lease_token IS NOT NULL) AND (new.run_no = old.run_no)) OR ((old.lease_token IS NULL) AND (old.finished_at IS NULL) AND (new.lease_token IS NOT NULL) AND (new.run_no = (old.run_no + 1)))))) EXECUTE FUNCTION millrace.check_job_move();
CREATE TRIGGER jobs_list AFTER INSERT ON millrace.jobs REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION millrace.list_jobs();
CREATE TRIGGER jobs_same_job BEFORE UPDATE OF id, tenant_id ON millrace.jobs FOR EACH ROW EXECUTE FUNCTION millrace.check_job_move();
CREATE TRIGGER jobs_stamp_insert BEFORE INSERT ON millrace.jobs FOR EACH ROW WHEN ((new.changed_xid IS DISTINCT FROM pg_current_xact_id())) EXECUTE FUNCTION millrace.stamp_change();
CREATE TRIGGER jobs_stamp_update BEFORE UPDATE ON millrace.jobs FOR EACH ROW WHEN (((new.version <> (old.version + 1)) OR (new.changed_xid <> pg_current_xact_id()))) EXECUTE FUNCTION millrace.stamp_job_change();
CREATE TRIGGER jobs_unlist AFTER TRUNCATE ON millrace.jobs FOR EACH STATEMENT EXECUTE FUNCTION millrace.forget_listed_jobs();
CREATE TRIGGER jobs_unname AFTER TRUNCATE ON millrace.jobs FOR EACH STATEMENT EXECUTE FUNCTION millrace.forget_named_jobs();
CREATE TRIGGER jobs_values_insert AFTER INSERT ON millrace.jobs REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT WHEN ((current_setting('millrace.bell'::text, true) IS DISTINCT FROM 'after_commit'::text)) EXECUTE FUNCTION millrace.check_new_jobs();
CREATE TRIGGER jobs_values_update BEFORE UPDATE OF tenant_id, definition_id, source, priority, dedupe_key, correlation_id, subject_type, subject_id, max_attempts, timeout_seconds, pending_dependencies ON millrace.jobs FOR EACH ROW EXECUTE FUNCTION millrace.check_changed_job();
CREATE TRIGGER prune_usage_event INSTEAD OF DELETE ON millrace.usage_events FOR EACH ROW EXECUTE FUNCTION millrace.prune_usage_event();
CREATE TRIGGER revocations_bell AFTER INSERT OR DELETE OR UPDATE ON millrace.revocations FOR EACH ROW EXECUTE FUNCTION millrace.ring_identity_bell();
CREATE TRIGGER segments_search_delete AFTER DELETE ON millrace.segments REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION millrace.forget_search_segments();
CREATE TRIGGER segments_search_insert AFTER INSERT ON millrace.segments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION millrace.mark_search_segments();
CREATE TRIGGER segments_search_update AFTER UPDATE ON millrace.segments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION millrace.mark_search_segments();
CREATE TRIGGER store_attempt INSTEAD OF INSERT ON millrace.job_attempts FOR EACH ROW EXECUTE FUNCTION millrace.store_attempt();
CREATE TRIGGER store_usage_event INSTEAD OF INSERT ON millrace.usage_events FOR EACH ROW EXECUTE FUNCTION millrace.store_usage_event();
CREATE TRIGGER tenant_members_bell AFTER INSERT OR DELETE OR UPDATE ON millrace.tenant_members FOR EACH ROW EXECUTE FUNCTION millrace.ring_identity_bell();
CREATE TRIGGER tenants_identity_bell AFTER UPDATE OF deleted_at ON millrace.tenants FOR EACH ROW WHEN ((old.deleted_at IS DISTINCT FROM new.deleted_at)) EXECUTE FUNCTION millrace.ring_tenant_bell();
CREATE TRIGGER tenants_keep BEFORE DELETE ON millrace.tenants FOR EACH ROW EXECUTE FUNCTION millrace.refuse_delete_with_jobs();
CREATE TRIGGER videos_bell AFTER INSERT OR DELETE OR UPDATE ON millrace.videos FOR EACH STATEMENT WHEN ((COALESCE(current_setting('millrace.bell'::text, true), ''::text) <> 'after_commit'::text)) EXECUTE FUNCTION millrace.ring_bell();
CREATE TRIGGER videos_bury AFTER DELETE ON millrace.videos REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION millrace.bury_videos();
CREATE TRIGGER videos_search_delete AFTER DELETE ON millrace.videos REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION millrace.forget_search_titles();
CREATE TRIGGER videos_search_insert AFTER INSERT ON millrace.videos REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION millrace.index_search_titles();
CREATE TRIGGER videos_search_update AFTER UPDATE OF title ON millrace.videos FOR EACH ROW WHEN ((old.title IS DISTINCT FROM new.title)) EXECUTE FUNCTION millrace.index_search_title();
CREATE TRIGGER videos_stamp_insert BEFORE INSERT ON millrace.videos FOR EACH ROW WHEN ((new.changed_xid IS DISTINCT FROM pg_current_xact_id())) EXECUTE FUNCTION millrace.stamp_change();
CREATE TRIGGER videos_stamp_update BEFORE UPDATE ON millrace.videos FOR EACH ROW WHEN (((new.version IS DISTINCT FROM (old.version + 1)) OR (new.changed_xid IS DISTINCT FROM pg_current_xact_id()))) EXECUTE FUNCTION millrace.stamp_change();
alter table millrace.api_keys enable row level security, force row level security;
alter table millrace.artifacts enable row level security, force row level security;
alter table millrace.audit_log enable row level security, force row level security;
alter table millrace.clips enable row level security, force row level security;
alter table millrace.deleted_media enable row level security, force row level security;
alter table millrace.entities enable row level security, force row level security;
alter table millrace.job_dependencies enable row level security, force row level security;
alter table millrace.job_log_lines enable row level security, force row level security;
alter table millrace.job_progress enable row level security, force row level security;
alter table millrace.job_tombstones enable row level security, force row level security;
alter table millrace.jobs enable row level security, force row level security;
alter table millrace.lane_limits enable row level security, force row level security;
alter table millrace.limit_gates enable row level security, force row level security;
alter table millrace.media_tombstones enable row level security, force row level security;
alter table millrace.ocr_frames enable row level security, force row level security;
alter table millrace.revocations enable row level security, force row level security;
alter table millrace.search_materialized enable row level security, force row level security;
alter table millrace.search_pending enable row level security, force row level security;
alter table millrace.search_videos enable row level security, force row level security;
alter table millrace.search_words enable row level security, force row level security;
alter table millrace.segments enable row level security, force row level security;
alter table millrace.stored_attempts enable row level security, force row level security;
alter table millrace.stored_usage_events enable row level security, force row level security;
alter table millrace.tenant_jobs enable row level security, force row level security;
alter table millrace.tenant_members enable row level security, force row level security;
alter table millrace.tenants enable row level security, force row level security;
alter table millrace.uploads enable row level security, force row level security;
alter table millrace.usage_days enable row level security, force row level security;
alter table millrace.video_puts enable row level security, force row level security;
alter table millrace.videos enable row level security, force row level security;
create policy admin on millrace.api_keys for select to millrace_admin using (true);
create policy tenant on millrace.api_keys for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.api_keys for all to millrace_worker using (true) with check (true);
create policy admin on millrace.artifacts for select to millrace_admin using (true);
create policy tenant on millrace.artifacts for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.artifacts for all to millrace_worker using (true) with check (true);
create policy admin on millrace.audit_log for select to millrace_admin using (true);
create policy tenant on millrace.audit_log for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.audit_log for all to millrace_worker using (true) with check (true);
create policy admin on millrace.clips for select to millrace_admin using (true);
create policy tenant on millrace.clips for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.clips for all to millrace_worker using (true) with check (true);
create policy admin on millrace.deleted_media for select to millrace_admin using (true);
create policy tenant on millrace.deleted_media for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.deleted_media for all to millrace_worker using (true) with check (true);
create policy admin on millrace.entities for select to millrace_admin using (true);
create policy tenant on millrace.entities for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.entities for all to millrace_worker using (true) with check (true);
create policy admin on millrace.job_dependencies for select to millrace_admin using (true);
create policy tenant on millrace.job_dependencies for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.job_dependencies for all to millrace_worker using (true) with check (true);
create policy admin on millrace.job_log_lines for select to millrace_admin using (true);
create policy tenant on millrace.job_log_lines for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.job_log_lines for all to millrace_worker using (true) with check (true);
create policy admin on millrace.job_progress for select to millrace_admin using (true);
create policy tenant on millrace.job_progress for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.job_progress for all to millrace_worker using (true) with check (true);
create policy admin on millrace.job_tombstones for select to millrace_admin using (true);
create policy tenant on millrace.job_tombstones for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.job_tombstones for all to millrace_worker using (true) with check (true);
create policy admin on millrace.jobs for select to millrace_admin using (true);
create policy tenant on millrace.jobs for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.jobs for all to millrace_worker using (true) with check (true);
create policy admin on millrace.lane_limits for select to millrace_admin using (true);
create policy tenant on millrace.lane_limits for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.lane_limits for all to millrace_worker using (true) with check (true);
create policy admin on millrace.limit_gates for select to millrace_admin using (true);
create policy tenant on millrace.limit_gates for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.limit_gates for all to millrace_worker using (true) with check (true);
create policy admin on millrace.media_tombstones for select to millrace_admin using (true);
create policy tenant on millrace.media_tombstones for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.media_tombstones for all to millrace_worker using (true) with check (true);
create policy admin on millrace.ocr_frames for select to millrace_admin using (true);
create policy tenant on millrace.ocr_frames for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.ocr_frames for all to millrace_worker using (true) with check (true);
create policy admin on millrace.revocations for select to millrace_admin using (true);
create policy tenant on millrace.revocations for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.revocations for all to millrace_worker using (true) with check (true);
create policy admin on millrace.search_materialized for select to millrace_admin using (true);
create policy tenant on millrace.search_materialized for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.search_materialized for all to millrace_worker using (true) with check (true);
create policy admin on millrace.search_pending for select to millrace_admin using (true);
create policy tenant on millrace.search_pending for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.search_pending for all to millrace_worker using (true) with check (true);
create policy admin on millrace.search_videos for select to millrace_admin using (true);
create policy tenant on millrace.search_videos for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.search_videos for all to millrace_worker using (true) with check (true);
create policy admin on millrace.search_words for select to millrace_admin using (true);
create policy tenant on millrace.search_words for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.search_words for all to millrace_worker using (true) with check (true);
create policy admin on millrace.segments for select to millrace_admin using (true);
create policy tenant on millrace.segments for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.segments for all to millrace_worker using (true) with check (true);
create policy admin on millrace.stored_attempts for select to millrace_admin using (true);
create policy tenant on millrace.stored_attempts for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.stored_attempts for all to millrace_worker using (true) with check (true);
create policy admin on millrace.stored_usage_events for select to millrace_admin using (true);
create policy tenant on millrace.stored_usage_events for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.stored_usage_events for all to millrace_worker using (true) with check (true);
create policy admin on millrace.tenant_jobs for select to millrace_admin using (true);
create policy tenant on millrace.tenant_jobs for select to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.tenant_jobs for all to millrace_worker using (true) with check (true);
create policy admin on millrace.tenant_members for select to millrace_admin using (true);
create policy tenant on millrace.tenant_members for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.tenant_members for all to millrace_worker using (true) with check (true);
create policy admin on millrace.tenants for select to millrace_admin using (true);
create policy tenant on millrace.tenants for all to millrace_api using ((id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.tenants for all to millrace_worker using (true) with check (true);
create policy admin on millrace.uploads for select to millrace_admin using (true);
create policy tenant on millrace.uploads for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.uploads for all to millrace_worker using (true) with check (true);
create policy admin on millrace.usage_days for select to millrace_admin using (true);
create policy tenant on millrace.usage_days for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.usage_days for all to millrace_worker using (true) with check (true);
create policy admin on millrace.video_puts for select to millrace_admin using (true);
create policy tenant on millrace.video_puts for select to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.video_puts for all to millrace_worker using (true) with check (true);
create policy admin on millrace.videos for select to millrace_admin using (true);
create policy tenant on millrace.videos for all to millrace_api using ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))) with check ((tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)));
create policy worker on millrace.videos for all to millrace_worker using (true) with check (true);
grant delete, insert, select on millrace.usage_events to millrace_worker;
grant delete, insert, select, update on millrace.entities to millrace_api;
grant delete, insert, select, update on millrace.lane_limits to millrace_api;
grant delete, insert, select, update on millrace.search_materialized to millrace_worker;
grant delete, insert, update, select on millrace.usage_days to millrace_worker;
grant delete, select, insert on millrace.stored_usage_events to millrace_worker;
grant delete, select, insert, update on millrace.ocr_frames to millrace_api;
grant delete, select, insert, update on millrace.tenant_members to millrace_api;
grant delete, select, update on millrace.deleted_media to millrace_worker;
grant delete, select, update, insert on millrace.video_puts to millrace_worker;
grant delete, update, insert, select on millrace.clips to millrace_api;
grant delete, update, insert, select on millrace.ocr_frames to millrace_worker;
grant delete, update, select, insert on millrace.job_tombstones to millrace_worker;
grant insert, delete, update, select on millrace.entities to millrace_worker;
grant insert, select on millrace.audit_log to millrace_api;
grant insert, select on millrace.audit_log to millrace_worker;
grant insert, select on millrace.deleted_media to millrace_api;
grant insert, select on millrace.job_attempts to millrace_worker;
grant insert, select on millrace.job_dependencies to millrace_api;
grant insert, select, delete, update on millrace.limit_gates to millrace_worker;
grant insert, select, update on millrace.jobs to millrace_api;
grant insert, select, update on millrace.videos to millrace_worker;
grant insert, select, update, delete, maintain on millrace.stored_attempts to millrace_worker;
grant insert, update, delete, select on millrace.lane_limits to millrace_worker;
grant insert, update, delete, select on millrace.search_pending to millrace_worker;
grant insert, update, delete, select on millrace.search_words to millrace_worker;
grant maintain, insert, select, delete, truncate on millrace.tenant_jobs to millrace_worker;
grant select on millrace.api_keys to millrace_admin;
grant select on millrace.api_keys to millrace_worker;
grant select on millrace.artifacts to millrace_admin;
grant select on millrace.audit_log to millrace_admin;
grant select on millrace.clips to millrace_admin;
grant select on millrace.deleted_media to millrace_admin;
grant select on millrace.entities to millrace_admin;
grant select on millrace.job_attempts to millrace_admin;
grant select on millrace.job_attempts to millrace_api;
grant select on millrace.job_definitions to millrace_admin;
grant select on millrace.job_definitions to millrace_api;
grant select on millrace.job_dependencies to millrace_admin;
grant select on millrace.job_log_lines to millrace_admin;
grant select on millrace.job_log_lines to millrace_api;
grant select on millrace.job_progress to millrace_admin;
grant select on millrace.job_progress to millrace_api;
grant select on millrace.job_tombstones to millrace_admin;
grant select on millrace.job_tombstones to millrace_api;
grant select on millrace.job_workers to millrace_admin;
grant select on millrace.jobs to millrace_admin;
grant select on millrace.lane_limits to millrace_admin;
grant select on millrace.limit_gates to millrace_admin;
grant select on millrace.limit_gates to millrace_api;
grant select on millrace.maintenance_leader to millrace_admin;
grant select on millrace.media_tombstones to millrace_admin;
grant select on millrace.ocr_frames to millrace_admin;
grant select on millrace.revocations to millrace_admin;
grant select on millrace.revocations to millrace_worker;
grant select on millrace.search_materialized to millrace_admin;
grant select on millrace.search_pending to millrace_admin;
grant select on millrace.search_videos to millrace_admin;
grant select on millrace.search_words to millrace_admin;
grant select on millrace.segments to millrace_admin;
grant select on millrace.stored_attempts to millrace_admin;
grant select on millrace.stored_attempts to millrace_api;
grant select on millrace.stored_usage_events to millrace_admin;
grant select on millrace.stored_usage_events to millrace_api;
grant select on millrace.tenant_jobs to millrace_admin;
grant select on millrace.tenant_jobs to millrace_api;
grant select on millrace.tenant_members to millrace_admin;
grant select on millrace.tenant_members to millrace_worker;
grant select on millrace.tenants to millrace_admin;
grant select on millrace.tenants to millrace_api;
grant select on millrace.uploads to millrace_admin;
grant select on millrace.usage_days to millrace_admin;
grant select on millrace.usage_days to millrace_api;
grant select on millrace.usage_events to millrace_admin;
grant select on millrace.usage_events to millrace_api;
grant select on millrace.usage_rollup to millrace_admin;
grant select on millrace.usage_rollup to millrace_api;
grant select on millrace.video_puts to millrace_admin;
grant select on millrace.video_puts to millrace_api;
grant select on millrace.videos to millrace_admin;
grant select, delete, update, insert on millrace.job_workers to millrace_worker;
grant select, insert on millrace.media_tombstones to millrace_api;
grant select, insert, delete on millrace.job_log_lines to millrace_worker;
grant select, insert, delete, update on millrace.artifacts to millrace_worker;
grant select, insert, delete, update on millrace.videos to millrace_api;
grant select, insert, update, delete, maintain on millrace.job_progress to millrace_worker;
grant select, maintain, delete, insert on millrace.job_dependencies to millrace_worker;
grant select, update on millrace.clips to millrace_worker;
grant select, update on millrace.maintenance_leader to millrace_worker;
grant select, update, delete, insert on millrace.search_videos to millrace_worker;
grant select, update, delete, maintain, insert on millrace.jobs to millrace_worker;
grant select, update, insert on millrace.job_definitions to millrace_worker;
grant select, update, insert on millrace.revocations to millrace_api;
grant update, delete, insert, select on millrace.segments to millrace_worker;
grant update, delete, select, insert on millrace.deleted_job_logs to millrace_worker;
grant update, insert, delete, select on millrace.segments to millrace_api;
grant update, insert, select on millrace.api_keys to millrace_api;
grant update, insert, select, delete on millrace.uploads to millrace_api;
grant update, select on millrace.usage_rollup to millrace_worker;
grant update, select, delete on millrace.uploads to millrace_worker;
grant update, select, insert on millrace.tenants to millrace_worker;
grant update, select, insert, delete on millrace.artifacts to millrace_api;
grant update, select, insert, delete on millrace.media_tombstones to millrace_worker;
revoke all on function millrace.enqueue(text,jsonb,text,integer,timestamp with time zone,text,integer,integer,integer,timestamp with time zone,uuid[],text,text,text,text,text,text[],jsonb) from public;
revoke all on function millrace.find_api_key(bytea) from public;
revoke all on function millrace.forget_listed_jobs() from public;
revoke all on function millrace.forget_named_jobs() from public;
revoke all on function millrace.forget_search_rows(uuid,uuid[]) from public;
revoke all on function millrace.forget_search_segments() from public;
revoke all on function millrace.forget_search_titles() from public;
revoke all on function millrace.index_search_title() from public;
revoke all on function millrace.index_search_titles() from public;
revoke all on function millrace.list_jobs() from public;
revoke all on function millrace.mark_search_entities() from public;
revoke all on function millrace.mark_search_segments() from public;
revoke all on function millrace.refresh_search_materialized(uuid) from public;
revoke all on function millrace.refuse_argument(text,text,text) from public;
revoke all on function millrace.refuse_inexact_numbers(jsonb) from public;
revoke all on function millrace.reindex_search(uuid) from public;
revoke all on function millrace.search_backlog(integer) from public;
revoke all on function millrace.search_videos_page(jsonb) from public;
revoke all on function millrace.waiting_for(uuid[]) from public;
grant execute on function millrace.enqueue(text,jsonb,text,integer,timestamp with time zone,text,integer,integer,integer,timestamp with time zone,uuid[],text,text,text,text,text,text[],jsonb) to millrace_api;
grant execute on function millrace.find_api_key(bytea) to millrace_api;
grant execute on function millrace.forget_search_rows(uuid,uuid[]) to millrace_worker;
grant execute on function millrace.refresh_search_materialized(uuid) to millrace_api;
grant execute on function millrace.reindex_search(uuid) to millrace_worker;
grant execute on function millrace.search_backlog(integer) to millrace_worker;
grant execute on function millrace.search_videos_page(jsonb) to millrace_api;
grant execute on function millrace.waiting_for(uuid[]) to millrace_admin;
grant execute on function millrace.waiting_for(uuid[]) to millrace_api;
grant execute on function millrace.xid_number(xid8) to millrace_admin;
grant execute on function millrace.xid_number(xid8) to millrace_api;
grant execute on function millrace.xid_number(xid8) to millrace_worker;

create table public._prisma_migrations (
  id                   varchar(36) primary key not null,
  checksum             varchar(64) not null,
  finished_at          timestamptz,
  migration_name       varchar(255) not null,
  logs                 text,
  rolled_back_at       timestamptz,
  started_at           timestamptz not null default now(),
  applied_steps_count  integer not null default 0
);
insert into public._prisma_migrations values ('e0c9885f-d4f1-4a1e-a8d9-9c84f6c4ff6d', 'be388d751f5bb964518ee8c1e62d6c7074c211d1c4e6f1a6423387c7383643fb', now(), '20261127000000_initial', null, null, now(), 1);
insert into public._prisma_migrations values ('c2c01e7d-294d-4031-b0e7-5d8c8704dd25', 'bdedbe283d4074151bf57abe15bb494a9d3ee02be27ddd10b431d3f1d0d0ad21', now(), '20261127000100_row_security', null, null, now(), 1);
insert into public._prisma_migrations values ('c2f467dd-7e8c-4c1d-a1ed-608eb0aa202f', 'bafe4d20766b1b337439ef7617498df60cfadf25b163ebff53713da411dc08e1', now(), '20261127000200_triggers', null, null, now(), 1);
insert into public._prisma_migrations values ('e42c02e8-c94f-49ce-ae86-683c70a62bb1', '9e53ddb35e189e5b3f72f713b8f1ea398e88dfbc96dea5a71c2eed75d75a77ec', now(), '20261127000300_claim', null, null, now(), 1);
insert into public._prisma_migrations values ('7ab6d7d4-a6e4-4d29-81d8-432ccc0621e4', 'ae42614517492e2260f1c13e202edaf8ba5687210fcbb354286edabb7ed4e13f', now(), '20261127001000_feed', null, null, now(), 1);
insert into public._prisma_migrations values ('1d23c26b-b792-49c7-875e-8b504018d383', '1dc7170d808fc568d5f6fc5169caa44064f4f9ca3a51f860e798d5042d223864', now(), '20261128000000_queue_complete', null, null, now(), 1);
insert into public._prisma_migrations values ('8c4b250f-7254-4702-a278-e649b3bf1541', '2d8260d8032dd11f80cb3d13a64ad6b62232955f6f306833c5f827d38c115c2c', now(), '20261128000200_sql_api', null, null, now(), 1);
insert into public._prisma_migrations values ('1602c72d-58e5-4a05-97a8-e278675f4003', '16f442e22aa9701a2ed8ceee7d856914e45a87da80deb581fe03f5f1fc30ac9d', now(), '20261128000300_dependencies', null, null, now(), 1);
insert into public._prisma_migrations values ('feec61fe-b960-4316-b571-16c1c1378834', '37f0033d3edaf11ca22fb3c392ac9485898779af02245f6e550134b026f956b0', now(), '20261128000400_claim_limits', null, null, now(), 1);
insert into public._prisma_migrations values ('731521d4-4bcd-47fe-96ae-2e0496783df2', '355194988e9faadb7db869e60faff9a35667cb10f3877f4a98d1124f06b3b0c0', now(), '20261128000600_settle', null, null, now(), 1);
insert into public._prisma_migrations values ('b9b40d0e-0b7d-4326-bcfc-ef238bb98556', '40c383240c9f0a640b95a957e313b49ee0ad6335d0b23971391e9c3ec78adccd', now(), '20261128000700_maintenance', null, null, now(), 1);
insert into public._prisma_migrations values ('34422c15-e158-4e6a-a990-42ad5afd53f4', '5007876f6404908454754627a4028f0f4ef3bfded2c8cceb4c9fb18afec233e0', now(), '20261129000100_job_log', null, null, now(), 1);
insert into public._prisma_migrations values ('3f512f8b-93f9-4a45-8191-eb3456eababc', '2f0461953e0b16306adaa0f6fa232b4428dcdd6cb49b33ddd292afb2b9bf85f2', now(), '20261129000200_identity', null, null, now(), 1);
insert into public._prisma_migrations values ('0d484443-2480-4b65-ba1d-d57364bef224', 'e2a76a5d3d0d980bc59ec51e92e1cedc336d6840deaa9a0b013d512c3ffc5214', now(), '20261129000500_clips', null, null, now(), 1);
insert into public._prisma_migrations values ('aa7829e9-3bc0-4047-beb3-d4bfe4bd1c96', 'ba26f233a1e6c1d60b18533199837be03b3ed121432f180764da247958877852', now(), '20261129000600_segments', null, null, now(), 1);
insert into public._prisma_migrations values ('fd7f55a5-96d6-4358-a769-90d531680d3c', '4a387425334a26cd6312940ed5214a222523cfc5dfb4263a57c3fab3a4a16ce4', now(), '20261129000700_search', null, null, now(), 1);
insert into public._prisma_migrations values ('e6227042-b082-4243-bce1-e4e0bb7d5edd', 'ca443bafdf2a0bacd4e12ad65d4f66c29b559e231eee2a3a67ba16743eb2136a', now(), '20261129000800_uploads', null, null, now(), 1);
insert into public._prisma_migrations values ('d0612d2d-12c3-4d44-a52e-3eb98903158c', 'f80bd401d8247adc4b641e5199f791773398cb74e254b8b94fed00ee26426af2', now(), '20261130000100_entities_index', null, null, now(), 1);
insert into public._prisma_migrations values ('8b7ac68b-57ae-4892-a0bd-ae154f5dec99', '1b1e8d4ffbb3d6c8f8d63b065ff240254cb24a3e1de7a172e37855480ddca147', now(), '20261130000200_lean_claim', null, null, now(), 1);
insert into public._prisma_migrations values ('56733baa-f015-4230-b5d4-0de694757519', '0a0da60d4c65ac2b8e3df9dfb39e0890133ea29a4fb9af966a0e1eed62e7460f', now(), '20261130000300_settle_runs', null, null, now(), 1);
insert into public._prisma_migrations values ('13823322-77ff-4557-9bd2-30309eaed6cd', 'cec1878d99bdbc8ee8f9fa6a41d07edb1ccfa39b39ffb9babf72afb4a2dc5e2b', now(), '20261130000400_index_room', null, null, now(), 1);
insert into public._prisma_migrations values ('a430971a-c7b1-4b8d-9df0-633b7d15561c', '9bc93f0a57e87be8dbde47911bb90572e69e14f6414d453c007c72a214c94bd1', now(), '20261201000100_steady_plans', null, null, now(), 1);
insert into public._prisma_migrations values ('61feb909-95cd-4d62-a41d-fbfb39787890', '43f6b38d36e631af8143937436099e2891b10fa46c71298b983c165bb812fb0d', now(), '20261201000200_own_records', null, null, now(), 1);
insert into public._prisma_migrations values ('fb668cee-1fa6-4e92-9ed7-d000cf03429c', '77d56bbd8ca35df556c5130c17d9d11e08f9d0afbcdbe018e9f777dd94e552a1', now(), '20261201000300_due_lanes', null, null, now(), 1);
insert into public._prisma_migrations values ('cfea3e5d-a882-4a61-acc7-28e7a2c064a3', 'ed3f4b28bda68e9ee9c79fd14b829cd6d13ea38fb4277242c054022a1dfd923c', now(), '20261201000400_tenant_jobs', null, null, now(), 1);
insert into public._prisma_migrations values ('80b15d59-d8e3-43b3-89e1-4497b80dfff2', '5d0e5e37af3d737af09b7e4ca9b2f7788a300cf39f5857d9710bd90f00dbdd12', now(), '20261201000500_job_references', null, null, now(), 1);
insert into public._prisma_migrations values ('6bed4f95-55ce-414c-bde5-b5b820eb5bbc', '999fb674d103323c33e785d2518297fbd11f009ef18f20162419b395e49b7980', now(), '20261201000600_plain_successes', null, null, now(), 1);
insert into public._prisma_migrations values ('624b8558-cece-4df6-a685-f64cc0bdb6e6', '0047d70f7ab53dc6aa0312c291f62a5a7bc4a7f32a931b702b48688db6d38eae', now(), '20261201000700_value_checks', null, null, now(), 1);
insert into public._prisma_migrations values ('53ce42b6-8b85-4b5b-971b-e83efdce6313', 'e27fc3549ebacb2606147022d4d314f34564ab7a129295edbe0dd9ec125ce6f0', now(), '20261201000800_short_guards', null, null, now(), 1);
insert into public._prisma_migrations values ('097ccbbb-2c6e-4946-add9-58084e131db8', '58c3a2dc892ca552859adbedc64532110f58550433e178609bd51248ef587a6d', now(), '20261202002000_safe_paths', null, null, now(), 1);
insert into public._prisma_migrations values ('04f71aae-d144-42f1-9920-394d73012d70', '19fe8e0b276d6e98a9b08febfe440c60790816cd75a05d58d4a281123883ad8c', now(), '20261202002100_patient_bells', null, null, now(), 1);
insert into public._prisma_migrations values ('7384c3db-d808-4aca-8a27-f56c86815ef5', '2d145e81eefd7256d4f5ae54b45a41fb434784465cbdb11c63d4a49d8f78d836', now(), '20261202002200_deleted_parents', null, null, now(), 1);
insert into public._prisma_migrations values ('15ed678c-831b-452f-9671-6439b74d67b0', '5754e0a6d5f82b401fa8708e44914d8d3e288a356459802b8dd62f875708c3f2', now(), '20261202004100_search_distance', null, null, now(), 1);
insert into public._prisma_migrations values ('a1aa4f9b-88e0-487a-b45d-5f84ddd8c292', 'aae02ff931b33c30c926ccd2490ee37622d5c299817959ae5636f6eba58b5efd', now(), '20261202005100_fair_rescue', null, null, now(), 1);
insert into public._prisma_migrations values ('8bd2dab7-7d00-4dd5-a24a-aaf41f061ee0', '36e1813e9cb3efba1f60b711cf8fcab09bafc819447b3d1069c6d199e923f86b', now(), '20261202006100_storage_quota', null, null, now(), 1);
insert into public._prisma_migrations values ('3d2a71ba-ea87-4960-8327-99931c5a16af', '832a74a6b3636908132abdcbf3b714b885fbd3053a2cb6334ffa62e52c715f2a', now(), '20261202008000_video_errors', null, null, now(), 1);
insert into public._prisma_migrations values ('98c6a52e-c28e-43db-a9c2-5062b686f27f', '9b7b4076c1ac9196721ed67f5ec0adbf1b319bc270bf5b5945fc53722482ab29', now(), '20261202009000_job_labels', null, null, now(), 1);
insert into public._prisma_migrations values ('fbc47a04-cce5-46d6-bc6e-b945452fdba9', '9f2aff558e44cec88cf4ff13ab930acb4cc28b671e8969f8f658bb93bcb72a1e', now(), '20261202009100_exact_numbers', null, null, now(), 1);
insert into public._prisma_migrations values ('6b257882-2ecc-4965-b5c5-627cbb188040', '0b25f395290c0fa715c8e5686d6fddb354319fbefb83b1f0987535450dc1fc94', now(), '20261202010000_media_tombstones', null, null, now(), 1);
insert into public._prisma_migrations values ('23f5a9cf-0870-4a73-b4fc-dbf8f85ac7a5', 'f57d1b167489c0e2738f3711b7a1af1f1c43e9e8a2ac7d144f5548b2c04c5234', now(), '20261202012000_deleted_media', null, null, now(), 1);
set check_function_bodies = on;
set search_path to default;
