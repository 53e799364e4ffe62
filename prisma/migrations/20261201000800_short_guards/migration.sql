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

-- References and values of new jobs: two triggers had their condition looked at for each row that our own statements put in, which neither is
-- for (see queue_complete and value_checks). They are one for the statement now, which reads what jobs_list is given anyway: a
-- twentieth of a large INSERT.

-- Which value is out of its bounds; null: none. As in a CHECK, what is null passes.
create function millrace.bad_job_value(
  p_source text, p_priority integer, p_dedupe_key text, p_correlation_id text, p_subject_type text, p_subject_id text,
  p_max_attempts integer, p_timeout_seconds integer, p_pending_dependencies integer
) returns text language sql immutable parallel safe
return case
  when p_source not in ('manual', 'event', 'schedule', 'system') then 'source'
  when p_priority not between 0 and 1000000 then 'priority'
  when length(p_dedupe_key) not between 1 and 1024 then 'dedupe_key'
  when length(p_correlation_id) not between 1 and 255 then 'correlation_id'
  when length(p_subject_type) not between 1 and 100 then 'subject_type'
  when length(p_subject_id) not between 1 and 255 then 'subject_id'
  when p_max_attempts not between 1 and 1000 then 'max_attempts'
  when p_timeout_seconds not between 1 and 604800 then 'timeout_seconds'
  when p_pending_dependencies < 0 then 'pending_dependencies'
  when (p_subject_type is null) <> (p_subject_id is null) then 'subject' end;

-- Refuses as the foreign keys and CHECKs would, with their codes and names; each is null where there is nothing to refuse.
create function millrace.refuse_job(p_id uuid, p_lost_tenant uuid, p_lost_definition uuid, p_bad_value text) returns void
language plpgsql as $$
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
end $$;

create function millrace.check_new_jobs() returns trigger language plpgsql as $$
begin
  perform millrace.refuse_job(
    f.id,
    case when not exists (select from millrace.tenants t where t.id = f.tenant_id) then f.tenant_id end,
    case when not exists (select from millrace.job_definitions d where d.id = f.definition_id) then f.definition_id end,
    millrace.bad_job_value(f.source, f.priority, f.dedupe_key, f.correlation_id, f.subject_type, f.subject_id, f.max_attempts,
                           f.timeout_seconds, f.pending_dependencies))
  from fresh f;
  return null;
end $$;

create function millrace.check_changed_job() returns trigger language plpgsql as $$
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
end $$;

drop trigger jobs_references on millrace.jobs;
drop trigger jobs_values_insert on millrace.jobs;
drop trigger jobs_values_update on millrace.jobs;
drop function millrace.check_job_references();
drop function millrace.check_job_values();
create trigger jobs_values_insert after insert on millrace.jobs referencing new table as fresh for each statement
when (current_setting('millrace.bell', true) is distinct from 'after_commit')
execute function millrace.check_new_jobs();
create trigger jobs_values_update
before update of tenant_id, definition_id, source, priority, dedupe_key, correlation_id, subject_type, subject_id, max_attempts,
  timeout_seconds, pending_dependencies
on millrace.jobs for each row execute function millrace.check_changed_job();

drop trigger jobs_bell on millrace.jobs;
create trigger jobs_bell after insert or update or delete on millrace.jobs for each statement
when (current_setting('millrace.bell', true) is distinct from 'after_commit')
execute function millrace.ring_bell();
