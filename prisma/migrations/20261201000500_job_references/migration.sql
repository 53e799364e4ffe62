-- Four foreign keys pointed at jobs: of both ends of a dependency, of artifacts and of clips. For each of them an UPDATE of a job looked
-- whether its id had changed (a claim and a settlement are one each), and a DELETE ran a statement for each row: half of what the deletion
-- of a job cost. What they guaranteed is kept as for jobs' own references (see queue_complete): our statements hold the jobs that they
-- name, anybody else's are checked by the triggers below, and what names a deleted job is seen to by the trigger that buries it.
alter table millrace.job_dependencies drop constraint job_dependencies_job_id_fkey, drop constraint job_dependencies_depends_on_id_fkey;
alter table millrace.artifacts drop constraint artifacts_job_id_fkey;
alter table millrace.clips drop constraint clips_job_id_fkey;

-- The columns are the trigger's arguments.
create function millrace.check_named_jobs() returns trigger language plpgsql as $$
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
end $$;

create trigger job_dependencies_references before insert or update of job_id, depends_on_id on millrace.job_dependencies for each row
when (coalesce(current_setting('millrace.bell', true), '') <> 'after_commit')
execute function millrace.check_named_jobs('job_id', 'depends_on_id');
create trigger artifacts_references before insert or update of job_id on millrace.artifacts for each row
when (new.job_id is not null and coalesce(current_setting('millrace.bell', true), '') <> 'after_commit')
execute function millrace.check_named_jobs('job_id');
create trigger clips_references before insert or update of job_id on millrace.clips for each row
when (new.job_id is not null and coalesce(current_setting('millrace.bell', true), '') <> 'after_commit')
execute function millrace.check_named_jobs('job_id');

-- By index, a probe for each deleted job, whoever deletes and whenever the plan was made: see tenant_jobs.
create or replace function millrace.bury_jobs() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  v_ids constant uuid[] := array(select g.id from gone g);
begin
  insert into millrace.job_tombstones
    (job_id, tenant_id, definition_id, subject_type, subject_id, correlation_id, created_by)
  select id, tenant_id, definition_id, subject_type, subject_id, correlation_id, created_by from gone
  on conflict (job_id) do nothing;
  -- What a tenant used outlives the job: what stood in the row is stored now.
  insert into millrace.stored_usage_events (tenant_id, definition_id, job_id, attempt_no, outcome, wall_ms, cpu_ms, created_at)
  select tenant_id, definition_id, id, run_no, status, wall_ms, cpu_ms, finished_at from gone
  where status = 'succeeded' and wall_ms is not null;
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
end $$;

-- TRUNCATE calls no other trigger of the two.
create function millrace.forget_named_jobs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from millrace.job_dependencies;
  update millrace.artifacts set job_id = null where job_id is not null;
  update millrace.clips set job_id = null where job_id is not null;
  return null;
end $$;

do $$
declare
  v_worker text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace') || '_worker';
begin
  -- Owned by the worker role: as the tables' owner it would find no row (FORCE), as anybody else it could be replaced.
  execute format('grant create on schema millrace to %I', v_worker);
  execute format('alter function millrace.forget_named_jobs() owner to %I', v_worker);
  execute format('revoke create on schema millrace from %I', v_worker);
  revoke all on function millrace.forget_named_jobs() from public;
end $$;

create trigger jobs_unname after truncate on millrace.jobs for each statement execute function millrace.forget_named_jobs();
