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

-- One row a segment, written by refresh_search_materialized(). It comes and goes with its segment, by triggers, and so
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
