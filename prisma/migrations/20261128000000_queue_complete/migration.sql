-- Tables and columns of the complete queue: limits, dependencies, expiry, metering, audit. The functions that use them follow in
-- migrations of their own.

-- The hot tables' foreign keys cost 7 to 9 µs a row, a third of an insert. What they guaranteed is kept otherwise: our own
-- statements join the tenant and the definition that they name, anybody else's insert is checked by the trigger below,
-- a tenant or definition that has jobs can't be deleted, and a job takes its attempts and progress with it.
alter table millrace.jobs drop constraint jobs_tenant_id_fkey, drop constraint jobs_definition_id_fkey;
alter table millrace.job_attempts drop constraint job_attempts_job_id_fkey;
alter table millrace.job_progress drop constraint job_progress_job_id_fkey;

create function millrace.check_job_references() returns trigger language plpgsql as $$
begin
  if not exists (select from millrace.tenants t where t.id = new.tenant_id) then
    raise exception 'job % names tenant %, which does not exist', new.id, new.tenant_id
      using errcode = 'foreign_key_violation', schema = 'millrace', table = 'jobs', column = 'tenant_id';
  end if;
  if not exists (select from millrace.job_definitions d where d.id = new.definition_id) then
    raise exception 'job % names definition %, which does not exist', new.id, new.definition_id
      using errcode = 'foreign_key_violation', schema = 'millrace', table = 'jobs', column = 'definition_id';
  end if;
  return new;
end $$;
-- For each row and not for the statement: a transition table would copy every row of our own statements too.
create trigger jobs_references before insert or update of tenant_id, definition_id on millrace.jobs for each row
when (coalesce(current_setting('millrace.bell', true), '') <> 'after_commit')
execute function millrace.check_job_references();

create function millrace.refuse_delete_with_jobs() returns trigger language plpgsql as $$
begin
  if (tg_table_name = 'tenants' and exists (select from millrace.jobs j where j.tenant_id = old.id))
     or (tg_table_name = 'job_definitions' and exists (select from millrace.jobs j where j.definition_id = old.id)) then
    raise exception '% % still has jobs', case tg_table_name when 'tenants' then 'tenant' else 'job definition' end, old.id
      using errcode = 'foreign_key_violation', schema = 'millrace', table = tg_table_name;
  end if;
  return old;
end $$;
create trigger tenants_keep before delete on millrace.tenants for each row execute function millrace.refuse_delete_with_jobs();
create trigger job_definitions_keep before delete on millrace.job_definitions for each row
execute function millrace.refuse_delete_with_jobs();

create or replace function millrace.bury_jobs() returns trigger language plpgsql as $$
begin
  insert into millrace.job_tombstones
    (job_id, tenant_id, definition_id, subject_type, subject_id, correlation_id, created_by)
  select id, tenant_id, definition_id, subject_type, subject_id, correlation_id, created_by from gone
  on conflict (job_id) do nothing;
  delete from millrace.job_attempts a using gone g where a.job_id = g.id;
  delete from millrace.job_progress p using gone g where p.job_id = g.id;
  return null;
end $$;

-- Limits and rates --------------------------------------------------------------------------------------------------
-- Null: no limit. A rate is so many starts in a period.

alter table millrace.job_definitions
  add column max_running                           integer check (max_running >= 1),
  add column max_running_per_tenant                integer check (max_running_per_tenant >= 1),
  add column rate_limit_count                      integer check (rate_limit_count >= 1),
  add column rate_limit_period_seconds             integer check (rate_limit_period_seconds between 1 and 86400),
  add column rate_limit_per_tenant_count           integer check (rate_limit_per_tenant_count >= 1),
  add column rate_limit_per_tenant_period_seconds  integer check (rate_limit_per_tenant_period_seconds between 1 and 86400),
  -- A snoozing job ends as failed: DeadlineExceeded this long after it was queued.
  add column snooze_deadline_seconds               integer check (snooze_deadline_seconds >= 1),
  -- How long finished jobs are kept; null: as the tenant, else as the program is configured.
  add column retention_seconds                     bigint check (retention_seconds >= 0),
  -- The limits as the code declared them last: a start changes a limit only when its declaration changed, so that an operator's
  -- own setting stays.
  add column declared_limits                       jsonb not null default '{}'::jsonb,
  add constraint job_definitions_rate_whole
    check ((rate_limit_count is null) = (rate_limit_period_seconds is null)),
  add constraint job_definitions_tenant_rate_whole
    check ((rate_limit_per_tenant_count is null) = (rate_limit_per_tenant_period_seconds is null));

alter table millrace.tenants
  add column max_running                integer check (max_running >= 1),
  add column rate_limit_count           integer check (rate_limit_count >= 1),
  add column rate_limit_period_seconds  integer check (rate_limit_period_seconds between 1 and 86400),
  add column retention_seconds          bigint check (retention_seconds >= 0),
  add constraint tenants_rate_whole check ((rate_limit_count is null) = (rate_limit_period_seconds is null));

-- One tenant's own limits for one definition; a null column leaves the definition's per-tenant limit in force.
create table millrace.lane_limits (
  tenant_id                  uuid not null references millrace.tenants (id) on delete restrict,
  definition_id              uuid not null references millrace.job_definitions (id) on delete restrict,
  max_running                integer check (max_running >= 1),
  rate_limit_count           integer check (rate_limit_count >= 1),
  rate_limit_period_seconds  integer check (rate_limit_period_seconds between 1 and 86400),
  created_at                 timestamptz not null default now(),
  updated_at                 timestamptz not null default now(),
  primary key (tenant_id, definition_id),
  check ((rate_limit_count is null) = (rate_limit_period_seconds is null))
);

-- What a claim under a limit holds, and how much of a rate is left. `scope` says whose limit: a definition's, a tenant's, a lane's.
create table millrace.limit_gates (
  id             bigint generated always as identity primary key,
  scope          text not null check (scope in ('definition', 'tenant', 'lane')),
  tenant_id      uuid,
  definition_id  uuid,
  -- Starts left in the bucket, and when it was last filled up.
  tokens         double precision,
  refilled_at    timestamptz,
  unique nulls not distinct (scope, tenant_id, definition_id),
  check ((tenant_id is not null) = (scope in ('tenant', 'lane'))),
  check ((definition_id is not null) = (scope in ('definition', 'lane')))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);

-- Jobs --------------------------------------------------------------------------------------------------------------

alter table millrace.jobs
  -- Not started by then: canceled, reason `expired`.
  add column expires_at       timestamptz,
  -- Instead of the definition's.
  add column timeout_seconds  integer check (timeout_seconds between 1 and 604800);

-- Who runs, lane by lane: limits count it, the rescue reads it whole.
drop index millrace.jobs_lease_idx;
create index jobs_running_idx on millrace.jobs (definition_id, tenant_id, lease_expires_at) where status = 'running';
create index jobs_expires_idx on millrace.jobs (expires_at) where status = 'queued' and expires_at is not null;
-- The newest job with a key, whatever became of it: for windows, which are looked up and not enforced.
create index jobs_dedupe_idx on millrace.jobs (tenant_id, dedupe_key, id) where dedupe_key is not null;
-- Queued jobs that somebody or something has doomed (a failed parent, expiry): they are ended, not run.
create index jobs_doomed_idx on millrace.jobs (id) where status = 'queued' and cancel_requested_at is not null;
-- Each edge has a policy for a parent that does not succeed: `cancel` the child, `skip` it (its own children take that for
-- success) or `run` it all the same.
create table millrace.job_dependencies (
  job_id        uuid not null references millrace.jobs (id) on delete cascade,
  depends_on_id uuid not null references millrace.jobs (id) on delete cascade,
  tenant_id     uuid not null,
  policy        text not null default 'cancel' check (policy in ('cancel', 'skip', 'run')),
  created_at    timestamptz not null default now(),
  primary key (job_id, depends_on_id),
  check (job_id <> depends_on_id)
);
create index job_dependencies_parent_idx on millrace.job_dependencies (depends_on_id, job_id);

-- Traces ------------------------------------------------------------------------------------------------------------

-- One row a run, whatever its end: what a tenant used. Outlives the job.
create table millrace.usage_events (
  id             bigint generated always as identity,
  tenant_id      uuid not null,
  definition_id  uuid not null,
  job_id         uuid not null,
  attempt_no     integer not null,
  outcome        text not null
                 check (outcome in ('succeeded', 'skipped', 'failed', 'timeout', 'canceled', 'lost', 'snoozed', 'handed_back')),
  wall_ms        integer not null,
  cpu_ms         integer,
  created_at     timestamptz not null default now(),
  primary key (tenant_id, id)
) with (autovacuum_vacuum_insert_scale_factor = 0.1);

-- What people did, and when; never changed, never deleted by the program's own roles.
create table millrace.audit_log (
  id           uuid primary key default uuidv7(),
  tenant_id    uuid not null,
  -- As jobs.created_by: `user:<sub>`, `key:<id>`, `system`, `sql:<login>`.
  actor        text not null check (length(actor) between 1 and 300),
  action       text not null check (length(action) between 1 and 100),
  target_type  text not null check (length(target_type) between 1 and 100),
  target_id    text check (length(target_id) between 1 and 300),
  details      jsonb not null default '{}'::jsonb,
  created_at   timestamptz not null default now()
);
create index audit_log_tenant_idx on millrace.audit_log (tenant_id, id);

-- Who may see and do what -------------------------------------------------------------------------------------------

alter table millrace.lane_limits      enable row level security, force row level security;
alter table millrace.job_dependencies enable row level security, force row level security;
alter table millrace.usage_events     enable row level security, force row level security;
alter table millrace.audit_log        enable row level security, force row level security;
alter table millrace.limit_gates      enable row level security, force row level security;

do $$
declare
  v_prefix text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace');
  v_api    text := v_prefix || '_api';
  v_worker text := v_prefix || '_worker';
  v_admin  text := v_prefix || '_admin';
  v_table  text;
begin
  foreach v_table in array array['lane_limits', 'job_dependencies', 'usage_events', 'audit_log', 'limit_gates'] loop
    execute format('create policy tenant on millrace.%I for all to %I
                      using (tenant_id = (select millrace.current_tenant_id()))
                      with check (tenant_id = (select millrace.current_tenant_id()))', v_table, v_api);
    execute format('create policy worker on millrace.%I for all to %I using (true) with check (true)', v_table, v_worker);
    execute format('create policy admin on millrace.%I for select to %I using (true)', v_table, v_admin);
    execute format('grant select on millrace.%I to %I, %I, %I', v_table, v_api, v_worker, v_admin);
  end loop;
  execute format('grant insert on millrace.audit_log, millrace.job_dependencies to %I, %I', v_api, v_worker);
  execute format('grant insert, update, delete on millrace.lane_limits to %I, %I', v_api, v_worker);
  execute format('grant delete on millrace.job_dependencies to %I', v_worker);
  execute format('grant insert, delete on millrace.usage_events to %I', v_worker);
  execute format('grant insert, update, delete on millrace.limit_gates to %I', v_worker);
  -- The deletion of a job takes its attempts along, in the trigger of whoever deletes.
  execute format('grant delete on millrace.job_attempts to %I', v_worker);
end $$;
