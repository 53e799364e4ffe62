-- owner: worker
-- Writes the events of the jobs of the tenants that this transaction has ended, where an enabled trigger may
-- want them: by name, and by the definition that its condition asks for. An end that an earlier statement of
-- the transaction has written an event of is not written again.
-- Indexes: jobs_changed_idx, which leads to what this transaction has changed, and triggers_own_events_idx.
create or replace function millrace.insert_job_events(p_tenants uuid[]) returns void language plpgsql security definer
set search_path = pg_catalog, pg_temp set row_security = on set enable_seqscan = off set enable_nestloop = on set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  v_max_result_bytes constant integer := 200000;
  v_count bigint;
begin
  insert into millrace.app_events (tenant_id, name, data, source, source_ref, correlation_id, created_by, chain_depth, origin_key)
  select j.tenant_id, 'job.' || j.status,
         jsonb_strip_nulls(jsonb_build_object(
           'jobId', j.id, 'definition', d.key, 'status', j.status, 'source', j.source, 'reason', j.reason,
           'attemptCount', j.attempt_count, 'tags', to_jsonb(j.tags),
           'subjectType', j.subject_type, 'subjectId', j.subject_id, 'createdBy', j.created_by,
           'finishedAt', to_char(j.finished_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'isResultOmitted', case when r.is_large then true end))
         -- A null within a result, or as one, is kept.
         || case when r.is_large or j.status <> 'succeeded' then '{}' else jsonb_build_object('result', j.result) end
         || case when j.last_error is null or j.status = 'succeeded' then '{}'
                 else jsonb_build_object('error', jsonb_build_object('type', j.last_error -> 'type', 'message', left(j.last_error ->> 'message', 2000))) end,
         'system', j.id::text, coalesce(j.correlation_id, j.id::text), 'system', millrace.chain_depth(j.source, j.source_ref),
         format('job:%s:%s', j.id, (extract(epoch from j.finished_at) * 1000000)::bigint)
  from millrace.jobs j
  join millrace.job_definitions d on d.id = j.definition_id
  cross join lateral (select octet_length(j.result::text) > v_max_result_bytes as is_large) r
  where j.changed_xid = pg_current_xact_id() and j.changed_xid > '0'::xid8 and j.tenant_id = any (p_tenants)
    and j.status in ('succeeded', 'failed', 'dead_letter', 'canceled') and j.finished_at is not null
    and exists (
      select from millrace.triggers t
      where t.kind = 'event' and t.is_enabled and split_part(t.event_pattern, '.', 1) = 'job' and t.tenant_id = j.tenant_id
        and t.event_pattern in ('job.*', 'job.' || j.status)
        and (t.watched_definition is null or t.watched_definition = d.key))
  order by j.id
  on conflict (origin_key) where origin_key is not null do nothing;
  get diagnostics v_count = row_count;
  if v_count > 0 and millrace.can_notify() then
    perform pg_notify('millrace_events', '');
  end if;
end $$;

revoke all on function millrace.insert_job_events from public;
