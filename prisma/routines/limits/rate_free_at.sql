-- When a rate lets the next start through; the past when it does now.
create or replace function millrace.rate_free_at(
  p_scope text, p_tenant_id uuid, p_definition_id uuid, p_rate integer, p_period_seconds integer
) returns timestamptz language plpgsql volatile as $$
declare
  v_gate millrace.limit_gates;
  v_slot bigint := millrace.rate_slot(clock_timestamp(), p_period_seconds);
begin
  select g.* into v_gate from millrace.limit_gates g where g.id = millrace.find_gate(p_scope, p_tenant_id, p_definition_id);
  if p_rate is null or v_gate.period_seconds is distinct from p_period_seconds then
    return '-infinity';
  end if;
  v_slot := greatest(v_slot, v_gate.newest_slot);
  return (select case when s.slot = v_slot then '-infinity'::timestamptz else to_timestamp(s.slot * p_period_seconds / 20.0) end
          from generate_series(v_slot, v_slot + 21) s (slot)
          where millrace.starts_in_period(v_gate.starts, v_gate.newest_slot, s.slot) < p_rate
          order by s.slot limit 1);
end $$;
