-- owner: worker
-- The event of a video or clip that has become ready or has failed, where a trigger of its tenant listens to
-- it. `tg_argv[0]`: the first word of its name. The chain goes on through the job about it that this
-- transaction has ended. Indexes: triggers_own_events_idx, jobs_changed_idx.
create or replace function millrace.write_entity_event() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp set row_security = on set enable_seqscan = off as $$
declare
  v_word constant text := tg_argv[0];
  v_name constant text := v_word || '.' || new.status;
  v_row  constant jsonb := to_jsonb(new);
  v_job  record;
begin
  if not exists (select from millrace.triggers t
                 where t.kind = 'event' and t.is_enabled and split_part(t.event_pattern, '.', 1) = v_word and t.tenant_id = new.tenant_id
                   and t.event_pattern in (v_word || '.*', v_name)) then
    return null;
  end if;
  select j.id, j.source, j.source_ref, j.correlation_id into v_job
  from millrace.jobs j
  where j.changed_xid = pg_current_xact_id() and j.changed_xid > '0'::xid8 and j.tenant_id = new.tenant_id
    and j.subject_type = v_word and j.subject_id = new.id::text and j.finished_at is not null
  order by j.finished_at desc limit 1;
  insert into millrace.app_events (tenant_id, name, data, source, source_ref, correlation_id, created_by, chain_depth)
  values (new.tenant_id, v_name,
          jsonb_strip_nulls(jsonb_build_object(
            v_word || 'Id', new.id, 'status', new.status, 'jobId', v_job.id,
            'videoId', coalesce(v_row -> 'video_id', to_jsonb(new.id)), 'title', v_row -> 'title', 'teamId', v_row -> 'team_id',
            'durationMs', v_row -> 'duration_ms', 'startMs', v_row -> 't_start_ms', 'endMs', v_row -> 't_end_ms',
            'createdBy', coalesce(v_row ->> 'created_by', v_row ->> 'owner_id'),
            'error', case when v_row -> 'error' is not null and v_row ->> 'error' is not null
                          then jsonb_build_object('type', v_row -> 'error' -> 'type', 'message', left(v_row -> 'error' ->> 'message', 2000)) end)),
          'system', new.id::text, coalesce(v_job.correlation_id, v_job.id::text), 'system', millrace.chain_depth(v_job.source, v_job.source_ref));
  if millrace.can_notify() then
    perform pg_notify('millrace_events', '');
  end if;
  return null;
end $$;

revoke all on function millrace.write_entity_event from public;
