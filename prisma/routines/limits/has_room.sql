-- A look without a lock, to pass over what is at its limit for the price of a look. It may be wrong by the
-- time it is read.
create or replace function millrace.has_room(
  p_scope text, p_tenant_id uuid, p_definition_id uuid, p_max integer, p_rate integer, p_period_seconds integer
) returns boolean language plpgsql volatile as $$
begin
  return (p_max is null or millrace.running_count(p_tenant_id, p_definition_id, p_max) < p_max)
     and (p_rate is null or coalesce((
            select millrace.starts_in_period(g.starts, g.newest_slot, millrace.rate_slot(clock_timestamp(), p_period_seconds)) < p_rate
            from millrace.limit_gates g
            where g.id = millrace.find_gate(p_scope, p_tenant_id, p_definition_id) and g.period_seconds = p_period_seconds), true));
end $$;
