-- Which value is out of its bounds; null: none. As in a CHECK, what is null passes.
create or replace function millrace.bad_job_value(
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
