-- The condition of a trigger and the text of a CHECK are read from the catalogue by every statement that writes the table: for one job a
-- tenth of its claim and of its settlement. What the guards of jobs guarantee is as it was; what is read each time is less than half.

-- Four checks said what a status goes with, each with the names of its statuses. The same as one, which asks for the lease first.
alter table millrace.jobs
  drop constraint jobs_status_check,
  drop constraint jobs_check1,
  drop constraint jobs_check2,
  drop constraint jobs_check3,
  add constraint jobs_status_check check (
    case when lease_token is not null then status = 'running' and lease_expires_at is not null and finished_at is null
         when finished_at is not null then status = any ('{succeeded,failed,canceled,dead_letter}'::text[]) and lease_expires_at is null
         else status = 'queued' and lease_expires_at is null end);

-- Moves of every day, told by the lease and by the time of the end, as the check ties them to the status. All others are looked at
-- with the whole rule.
drop trigger jobs_legal_move on millrace.jobs;
create trigger jobs_legal_move before update on millrace.jobs for each row
when (not (
     (old.lease_token is not null and new.run_no = old.run_no)
  or (old.lease_token is null and old.finished_at is null and new.lease_token is not null and new.run_no = old.run_no + 1)))
execute function millrace.check_job_move();
create trigger jobs_same_job before update of id, tenant_id on millrace.jobs for each row execute function millrace.check_job_move();

-- As `stamp_change`, but for a lease renewed by our own heartbeat, which is no news.
create function millrace.stamp_job_change() returns trigger language plpgsql as $$
begin
  if old.status = 'running' and new.status = 'running' and new.version = old.version
     and new.lease_expires_at is distinct from old.lease_expires_at
     and current_setting('millrace.bell', true) is not distinct from 'after_commit' then
    return new;
  end if;
  new.version := old.version + 1;
  new.changed_xid := pg_current_xact_id();
  return new;
end $$;
drop trigger jobs_stamp_update on millrace.jobs;
create trigger jobs_stamp_update before update on millrace.jobs for each row
when (new.version <> old.version + 1 or new.changed_xid <> pg_current_xact_id())
execute function millrace.stamp_job_change();

-- References and values of a job: two triggers with one condition were looked at for each row that our own statements put in, which
-- neither is for (see queue_complete and value_checks).
create function millrace.check_job() returns trigger language plpgsql as $$
declare
  v_columns constant text := case
    when new.source not in ('manual', 'event', 'schedule', 'system') then 'source'
    when new.priority not between 0 and 1000000 then 'priority'
    when length(new.dedupe_key) not between 1 and 1024 then 'dedupe_key'
    when length(new.correlation_id) not between 1 and 255 then 'correlation_id'
    when length(new.subject_type) not between 1 and 100 then 'subject_type'
    when length(new.subject_id) not between 1 and 255 then 'subject_id'
    when new.max_attempts not between 1 and 1000 then 'max_attempts'
    when new.timeout_seconds not between 1 and 604800 then 'timeout_seconds'
    when new.pending_dependencies < 0 then 'pending_dependencies'
    when (new.subject_type is null) <> (new.subject_id is null) then 'subject' end;
begin
  if (tg_op = 'INSERT' or new.tenant_id <> old.tenant_id)
     and not exists (select from millrace.tenants t where t.id = new.tenant_id) then
    raise exception 'job % names tenant %, which does not exist', new.id, new.tenant_id
      using errcode = 'foreign_key_violation', schema = 'millrace', table = 'jobs', column = 'tenant_id';
  end if;
  if (tg_op = 'INSERT' or new.definition_id <> old.definition_id)
     and not exists (select from millrace.job_definitions d where d.id = new.definition_id) then
    raise exception 'job % names definition %, which does not exist', new.id, new.definition_id
      using errcode = 'foreign_key_violation', schema = 'millrace', table = 'jobs', column = 'definition_id';
  end if;
  if v_columns is not null then
    raise exception 'a value of the job is out of its bounds: jobs_%_check', v_columns
      using errcode = 'check_violation', schema = 'millrace', table = 'jobs', constraint = format('jobs_%s_check', v_columns);
  end if;
  return new;
end $$;
drop trigger jobs_references on millrace.jobs;
drop trigger jobs_values_insert on millrace.jobs;
drop trigger jobs_values_update on millrace.jobs;
drop function millrace.check_job_references();
drop function millrace.check_job_values();
create trigger jobs_values_insert before insert on millrace.jobs for each row
when (current_setting('millrace.bell', true) is distinct from 'after_commit')
execute function millrace.check_job();
create trigger jobs_values_update
before update of tenant_id, definition_id, source, priority, dedupe_key, correlation_id, subject_type, subject_id, max_attempts,
  timeout_seconds, pending_dependencies
on millrace.jobs for each row execute function millrace.check_job();

drop trigger jobs_bell on millrace.jobs;
create trigger jobs_bell after insert or update or delete on millrace.jobs for each statement
when (current_setting('millrace.bell', true) is distinct from 'after_commit')
execute function millrace.ring_bell();
