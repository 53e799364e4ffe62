-- The list of a tenant's jobs, newest first, was an index on the table of jobs, in which every version of a job took an entry: put in,
-- claimed, settled. It was the dearest of the table's indexes (an eighth of what a drain of a thousand tenants cost the server), though
-- neither column of it ever changes. The list is a table of its own now: one row a job, written when the job is put in.

create table millrace.tenant_jobs (
  tenant_id uuid not null,
  -- A UUIDv7: in the order in which they were put in.
  job_id    uuid not null,
  primary key (tenant_id, job_id)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.1,
        autovacuum_analyze_scale_factor = 0.05);
alter table millrace.tenant_jobs enable row level security, force row level security;

-- For the statement and not for each row: a call for each would cost five times as much. It copies the rows of the statement, which is
-- part of the third of a microsecond that a row of a large INSERT costs more now than with the index; one INSERT of a single row costs
-- 30 us more. Whoever puts jobs in has the right to have them listed, and no other right here.
create function millrace.list_jobs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into millrace.tenant_jobs (tenant_id, job_id) select f.tenant_id, f.id from fresh f;
  return null;
end $$;

-- TRUNCATE calls no other trigger of the two.
create function millrace.forget_listed_jobs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  truncate millrace.tenant_jobs;
  return null;
end $$;

-- By index, a probe for each deleted job, whoever deletes and whenever the plan was made: joined, the planner, which does not know how
-- many are gone, went through all of the deleted ones for each row of the other table (50 s for 15,000 jobs). OFFSET 0 forbids that.
create or replace function millrace.bury_jobs() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  insert into millrace.job_tombstones
    (job_id, tenant_id, definition_id, subject_type, subject_id, correlation_id, created_by)
  select id, tenant_id, definition_id, subject_type, subject_id, correlation_id, created_by from gone
  on conflict (job_id) do nothing;
  -- What a tenant used outlives the job: what stood in the row is stored now.
  insert into millrace.stored_usage_events (tenant_id, definition_id, job_id, attempt_no, outcome, wall_ms, cpu_ms, created_at)
  select tenant_id, definition_id, id, run_no, status, wall_ms, cpu_ms, finished_at from gone
  where status = 'succeeded' and wall_ms is not null;
  delete from millrace.stored_attempts where job_id = any (array(select g.id from gone g));
  delete from millrace.job_progress where job_id = any (array(select g.id from gone g));
  -- Rows that nobody ever writes again, so that they may be named by where they lie.
  delete from millrace.tenant_jobs where ctid = any (array(
    select x.ctid from gone g
    cross join lateral (select t.ctid from millrace.tenant_jobs t where t.tenant_id = g.tenant_id and t.job_id = g.id offset 0) x));
  insert into millrace.deleted_job_logs (job_id)
  select g.id from gone g where exists (select from millrace.job_log_lines l where l.job_id = g.id)
  on conflict (job_id) do nothing;
  return null;
end $$;

create or replace function millrace.refuse_delete_with_jobs() returns trigger language plpgsql as $$
begin
  if (tg_table_name = 'tenants' and exists (select from millrace.tenant_jobs t where t.tenant_id = old.id))
     or (tg_table_name = 'job_definitions' and exists (select from millrace.jobs j where j.definition_id = old.id)) then
    raise exception '% % still has jobs', case tg_table_name when 'tenants' then 'tenant' else 'job definition' end, old.id
      using errcode = 'foreign_key_violation', schema = 'millrace', table = tg_table_name;
  end if;
  return old;
end $$;

do $$
declare
  v_prefix text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace');
  v_api    text := v_prefix || '_api';
  v_worker text := v_prefix || '_worker';
  v_admin  text := v_prefix || '_admin';
begin
  execute format('create policy tenant on millrace.tenant_jobs for select to %I
                    using (tenant_id = (select millrace.current_tenant_id()))', v_api);
  execute format('create policy worker on millrace.tenant_jobs for all to %I using (true) with check (true)', v_worker);
  execute format('create policy admin on millrace.tenant_jobs for select to %I using (true)', v_admin);
  execute format('grant select on millrace.tenant_jobs to %I, %I, %I', v_api, v_worker, v_admin);
  execute format('grant insert, delete, truncate, maintain on millrace.tenant_jobs to %I', v_worker);
  -- Owned by the worker role: as the table's owner it could put no row in (FORCE), as anybody else it could be replaced.
  execute format('grant create on schema millrace to %I', v_worker);
  execute format('alter function millrace.list_jobs() owner to %I', v_worker);
  execute format('alter function millrace.forget_listed_jobs() owner to %I', v_worker);
  execute format('revoke create on schema millrace from %I', v_worker);
  revoke all on function millrace.list_jobs(), millrace.forget_listed_jobs() from public;
end $$;

-- Holds up whoever puts jobs in until all are listed: some 4 s for each million of jobs.
create trigger jobs_list after insert on millrace.jobs referencing new table as fresh
for each statement execute function millrace.list_jobs();
create trigger jobs_unlist after truncate on millrace.jobs for each statement execute function millrace.forget_listed_jobs();

do $$
begin
  -- As the tables' owner this would list nothing (FORCE).
  execute format('set local role %I', coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace') || '_worker');
  insert into millrace.tenant_jobs (tenant_id, job_id) select tenant_id, id from millrace.jobs order by tenant_id, id;
  reset role;
end $$;
analyze millrace.tenant_jobs;

drop index millrace.jobs_history_idx;
