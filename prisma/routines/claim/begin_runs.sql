-- Hands out the leases of jobs that the transaction has locked. Index: jobs_pkey.
create or replace function millrace.begin_runs(p_ids uuid[], p_worker_id text, p_token uuid, p_at timestamptz, p_ahead_ids uuid[])
returns setof millrace.claimed_job language plpgsql volatile set plan_cache_mode = force_generic_plan
as $$
declare
  v_definition    uuid;
  v_lease_seconds float8;
begin
  select d.id, d.lease_seconds into v_definition, v_lease_seconds
  from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
  where j.id = p_ids[1];
  return query
  update millrace.jobs as j
  set status = 'running',
      run_no = j.run_no + 1,
      lease_token = p_token,
      lease_expires_at = clock_timestamp() + make_interval(secs =>
        case when j.definition_id = v_definition then v_lease_seconds
             else (select d.lease_seconds from millrace.job_definitions d where d.id = j.definition_id) end),
      claimed_by_worker = p_worker_id,
      claimed_at = p_at,
      -- Those claimed ahead start later; their settlement says when.
      started_at = case when j.definition_id = any (p_ahead_ids) then null else p_at end,
      version = j.version + 1,
      changed_xid = pg_current_xact_id()
  where j.id = any (p_ids)
  returning j.id, j.tenant_id, j.definition_id, j.payload, j.priority, millrace.epoch_us(j.scheduled_for),
    millrace.epoch_us(j.queued_at), j.started_at is not null, j.run_no, j.max_attempts, j.version, j.created_by,
    case when j.source <> 'manual' or j.attempt_count + j.lost_lease_count + j.snooze_count > 0
           -- Tests for null, which stop at the first that is none: counting them is a function with ten
           -- arguments.
           or j.source_ref is not null or j.dedupe_key is not null or j.correlation_id is not null or j.subject_type is not null
           or j.requested_for is not null or j.expires_at is not null or j.timeout_seconds is not null
           or j.cancel_requested_at is not null or j.last_error is not null or j.reason is not null
         then jsonb_strip_nulls(jsonb_build_object(
           'source', j.source, 'sourceRef', j.source_ref, 'dedupeKey', j.dedupe_key, 'correlationId', j.correlation_id,
           'subjectType', j.subject_type, 'subjectId', j.subject_id, 'requestedUs', millrace.epoch_us(j.requested_for),
           'attemptCount', j.attempt_count, 'lostLeaseCount', j.lost_lease_count, 'snoozeCount', j.snooze_count,
           'expiresUs', millrace.epoch_us(j.expires_at), 'timeoutSeconds', j.timeout_seconds,
           'cancelRequestedUs', millrace.epoch_us(j.cancel_requested_at), 'reason', j.reason))
           || jsonb_build_object('lastError', j.last_error)
    end;
end $$;
