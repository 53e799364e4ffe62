-- Takes the limit's row and says how many may start now; null when somebody else has it this moment. The row
-- stays taken until the transaction ends. Locks: it, FOR NO KEY UPDATE SKIP LOCKED.
create or replace function millrace.enter_gate(
  p_scope text, p_tenant_id uuid, p_definition_id uuid, p_max integer, p_rate integer, p_period_seconds integer
) returns integer language plpgsql volatile as $$
declare
  v_id   bigint := millrace.find_gate(p_scope, p_tenant_id, p_definition_id);
  v_gate millrace.limit_gates;
  v_room integer;
begin
  if v_id is null then
    -- One at a time: two that insert the same rows in different orders would wait for each other.
    if not pg_try_advisory_xact_lock(hashtextextended('millrace.limit_gates', 0)) then
      return null;
    end if;
    insert into millrace.limit_gates (scope, tenant_id, definition_id) values (p_scope, p_tenant_id, p_definition_id)
    on conflict do nothing;
    v_id := millrace.find_gate(p_scope, p_tenant_id, p_definition_id);
  end if;
  select g.* into v_gate from millrace.limit_gates g where g.id = v_id for no key update skip locked;
  if not found then
    return null;
  end if;
  -- Only now, in a statement after the lock: this is what makes the limit hold.
  if p_max is not null then
    v_room := p_max - millrace.running_count(p_tenant_id, p_definition_id, p_max);
  end if;
  if p_rate is not null then
    v_room := least(v_room, p_rate - case
      when v_gate.period_seconds = p_period_seconds
      then millrace.starts_in_period(v_gate.starts, v_gate.newest_slot, millrace.rate_slot(clock_timestamp(), p_period_seconds))
      -- Another period than before, or the first start ever.
      else 0 end);
  end if;
  return v_room;
end $$;
