-- Notes starts under a rate. Only for the holder of the row.
create or replace function millrace.note_starts(
  p_scope text, p_tenant_id uuid, p_definition_id uuid, p_period_seconds integer, p_count integer, p_at timestamptz
) returns void language plpgsql volatile as $$
declare
  v_slot bigint := millrace.rate_slot(p_at, p_period_seconds);
begin
  update millrace.limit_gates g
  set period_seconds = p_period_seconds,
      newest_slot = n.newest_slot,
      starts = (
        select array_agg((case when g.period_seconds = p_period_seconds and s.slot between g.newest_slot - 20 and g.newest_slot
                               then g.starts[1 + s.slot % 21] else 0 end)
                         + case when s.slot = n.newest_slot then p_count else 0 end order by s.slot % 21)
        from generate_series(n.newest_slot - 20, n.newest_slot) s (slot))
  -- A clock that was set back must not forget what was started before.
  from (select case when o.period_seconds = p_period_seconds then greatest(v_slot, o.newest_slot) else v_slot end as newest_slot, o.id
        from millrace.limit_gates o where o.id = millrace.find_gate(p_scope, p_tenant_id, p_definition_id)) n
  where g.id = n.id;
end $$;
