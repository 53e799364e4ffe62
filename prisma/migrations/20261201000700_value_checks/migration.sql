-- Ten checks of jobs are about values that are written when a job is made, and hardly ever after. A CHECK is read from the catalogue and
-- looked at by every statement that writes the table, whatever it writes: a claim and a settlement spent a twentieth of their time on these
-- ten. They are triggers now, which an UPDATE of other columns passes by. What a status goes with stays a CHECK, since a claim changes that.
alter table millrace.jobs
  drop constraint jobs_source_check,
  drop constraint jobs_priority_check,
  drop constraint jobs_dedupe_key_check,
  drop constraint jobs_correlation_id_check,
  drop constraint jobs_subject_type_check,
  drop constraint jobs_subject_id_check,
  drop constraint jobs_max_attempts_check,
  drop constraint jobs_timeout_seconds_check,
  drop constraint jobs_pending_dependencies_check,
  drop constraint jobs_check;

-- Refuses as the CHECKs did, with their names. As there, what is null passes.
create function millrace.check_job_values() returns trigger language plpgsql as $$
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
  if v_columns is not null then
    raise exception 'a value of the job is out of its bounds: jobs_%_check', v_columns
      using errcode = 'check_violation', schema = 'millrace', table = 'jobs', constraint = format('jobs_%s_check', v_columns);
  end if;
  return new;
end $$;

-- As jobs' references (see queue_complete): what our own statements put in has been looked at by then, each value with an error that names
-- its field (`checkInput`); looking again was a tenth of what it cost to put a job in.
create trigger jobs_values_insert before insert on millrace.jobs for each row
when (coalesce(current_setting('millrace.bell', true), '') <> 'after_commit')
execute function millrace.check_job_values();

create trigger jobs_values_update
before update of source, priority, dedupe_key, correlation_id, subject_type, subject_id, max_attempts, timeout_seconds, pending_dependencies
on millrace.jobs for each row execute function millrace.check_job_values();
