-- owner: worker
-- Refuses what `enqueue` does not take: every refusal names the argument, and says what is allowed. `p_at`:
-- the time of the enqueue.
create or replace function millrace.check_enqueue(
  p_at timestamptz, p_is_worker boolean, p_payload jsonb, p_priority integer, p_scheduled_for timestamptz, p_dedupe_key text,
  p_dedupe_window_seconds integer, p_max_attempts integer, p_timeout_seconds integer, p_expires_at timestamptz, p_dependency_policy text,
  p_correlation_id text, p_subject_type text, p_subject_id text, p_source_ref text, p_tags text[], p_metadata jsonb
) returns void language plpgsql volatile as $$
declare
  c_epoch     constant timestamptz := '1970-01-01T00:00:00Z';
  c_end       constant timestamptz := '2200-01-01T00:00:00Z';
  v_max_bytes constant integer := coalesce(nullif(current_setting('millrace.max_payload_bytes', true), ''), '1048576')::integer;
  -- Written once, for both checks.
  v_text      constant text := p_payload::text;
  v_bytes     constant integer := octet_length(v_text);
begin
  if p_payload is null then
    perform millrace.refuse_argument('payload', null, 'JSON; {} by default');
  end if;
  if v_bytes > v_max_bytes then
    raise exception 'millrace.enqueue: payload is % bytes of JSON; allowed: at most %', v_bytes, v_max_bytes
      using errcode = 'program_limit_exceeded', column = 'payload';
  end if;
  if v_text ~ '[0-9]{16}' then
    perform millrace.refuse_inexact_numbers(p_payload);
  end if;
  if p_priority is null or p_priority not between 0 and 1000000 then
    perform millrace.refuse_argument('priority', p_priority::text, '0 to 1000000');
  end if;
  if p_max_attempts not between 1 and 1000 then
    perform millrace.refuse_argument('max_attempts', p_max_attempts::text, '1 to 1000');
  end if;
  if p_timeout_seconds not between 1 and 604800 then
    perform millrace.refuse_argument('timeout_seconds', p_timeout_seconds::text, '1 to 604800');
  end if;
  if p_scheduled_for < c_epoch or p_scheduled_for >= c_end then
    perform millrace.refuse_argument('scheduled_for', p_scheduled_for::text, 'a time from 1970 to before 2200');
  end if;
  if p_expires_at <= greatest(p_scheduled_for, p_at) or p_expires_at >= c_end then
    perform millrace.refuse_argument('expires_at', p_expires_at::text, 'a time after now and after scheduled_for, before 2200');
  end if;
  if length(p_dedupe_key) not between 1 and 1024 or octet_length(p_dedupe_key) > 2600 then
    perform millrace.refuse_argument('dedupe_key', p_dedupe_key, '1 to 1024 characters, at most 2600 bytes');
  end if;
  if starts_with(p_dedupe_key, 'millrace:') and not p_is_worker then
    perform millrace.refuse_argument('dedupe_key', p_dedupe_key, 'a key that does not begin with "millrace:"');
  end if;
  if p_dedupe_window_seconds not between 1 and 31536000 or (p_dedupe_window_seconds is not null and p_dedupe_key is null) then
    perform millrace.refuse_argument('dedupe_window_seconds', p_dedupe_window_seconds::text, '1 to 31536000, and only with a dedupe_key');
  end if;
  if length(p_correlation_id) not between 1 and 255 then
    perform millrace.refuse_argument('correlation_id', p_correlation_id, '1 to 255 characters');
  end if;
  if length(p_subject_type) not between 1 and 100 or (p_subject_type is null and p_subject_id is not null) then
    perform millrace.refuse_argument('subject_type', p_subject_type, '1 to 100 characters, together with subject_id');
  end if;
  if length(p_subject_id) not between 1 and 255 or (p_subject_id is null and p_subject_type is not null) then
    perform millrace.refuse_argument('subject_id', p_subject_id, '1 to 255 characters, together with subject_type');
  end if;
  if length(p_source_ref) not between 1 and 1024 then
    perform millrace.refuse_argument('source_ref', p_source_ref, '1 to 1024 characters');
  end if;
  if millrace.bad_job_label(p_tags, null) is not null then
    perform millrace.refuse_argument('tags', p_tags::text, 'at most 20, each of 1 to 64 characters');
  end if;
  if millrace.bad_job_label(null, p_metadata) is not null or octet_length(p_metadata::text) > 4096 then
    perform millrace.refuse_argument('metadata', p_metadata::text, 'an object of at most 4096 bytes of JSON');
  end if;
  if p_dependency_policy is null or p_dependency_policy not in ('cancel', 'skip', 'run') then
    perform millrace.refuse_argument('dependency_policy', p_dependency_policy, 'cancel, skip or run');
  end if;
end $$;

revoke all on function millrace.check_enqueue from public;
