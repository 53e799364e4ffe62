-- owner: worker
-- An event from any SQL client, in the caller's transaction: it is there exactly when what it is about is.
-- See docs/triggers.md. Every refusal names the argument.
create or replace function millrace.emit_event(
  name            text,
  data            jsonb default '{}',
  tenant          text default null,
  correlation_id  text default null,
  source_ref      text default null
)
returns uuid
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set row_security = on as $$
#variable_conflict use_column
declare
  v_tenant_id uuid;
  v_id        uuid;
begin
  v_tenant_id := millrace.named_tenant('emit_event', emit_event.tenant);
  if emit_event.name is null or length(emit_event.name) > 200 or emit_event.name !~ '^[a-z0-9_-]+(\.[a-z0-9_-]+)*$' then
    raise exception 'millrace.emit_event: name is %; allowed: 1 to 200 characters, lower-case words of a-z, 0-9, _ and - with dots between them',
      coalesce(quote_literal(left(emit_event.name, 80)), 'null') using errcode = 'invalid_parameter_value', column = 'name';
  end if;
  if split_part(emit_event.name, '.', 1) in ('job', 'video', 'clip') then
    raise exception 'millrace.emit_event: name is %; names that begin with job, video or clip are Millrace''s own', quote_literal(left(emit_event.name, 80))
      using errcode = 'invalid_parameter_value', column = 'name';
  end if;
  if emit_event.data is null or jsonb_typeof(emit_event.data) <> 'object' or octet_length(emit_event.data::text) > 262144 then
    raise exception 'millrace.emit_event: data is no object of at most 262144 bytes' using errcode = 'invalid_parameter_value', column = 'data';
  end if;
  if length(emit_event.correlation_id) > 255 or length(emit_event.source_ref) > 1024 then
    raise exception 'millrace.emit_event: correlation_id takes 255 characters, source_ref 1024' using errcode = 'invalid_parameter_value';
  end if;
  insert into millrace.app_events as e (tenant_id, name, data, source, source_ref, correlation_id, created_by)
  values (v_tenant_id, emit_event.name, emit_event.data, 'sql', emit_event.source_ref, emit_event.correlation_id, 'sql:' || session_user)
  returning e.id into v_id;
  -- Waking is never worth the failure of the caller's commit.
  if millrace.can_notify() then
    perform pg_notify('millrace_events', '');
  end if;
  return v_id;
end $$;

revoke all on function millrace.emit_event from public;
grant execute on function millrace.emit_event to :"api";
