-- Jobs of pipelines have their key already, and most others have no subject.
create or replace trigger jobs_single_subject before insert on millrace.jobs for each row
when (new.subject_id is not null and new.status = 'queued' and not starts_with(coalesce(new.dedupe_key, ''), 'millrace:'))
execute function millrace.keep_single_subject();
