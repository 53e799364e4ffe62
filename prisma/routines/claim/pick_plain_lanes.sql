-- Jobs of lanes that nothing limits, in one statement: each lane its turn, or its share where those were
-- computed, in their order, until enough is found; the LIMIT around them stops the reading. Gives which
-- lanes may have more, and where the walk ends. Locks: each candidate row FOR NO KEY UPDATE SKIP
-- LOCKED. Index: jobs_ready_idx.
create or replace function millrace.pick_plain_lanes(
  p_lanes millrace.claim_lane[], p_next integer, p_shares integer[], p_carried integer, p_quantum integer, p_at timestamptz,
  -- Jobs that these lanes may give, and those that are wanted in all.
  p_most integer, p_left integer, inout open boolean[], inout last integer, inout credit integer, out picked uuid[]
) language plpgsql volatile as $$
declare
  v_open    constant boolean[] := open;
  v_opens   boolean[];
  v_latest  integer;
  v_credits integer[];
begin
  with asked as materialized (
    select l.ordinality::integer as n, l.tenant_id, l.definition_id,
           case when p_shares is not null then p_shares[l.ordinality]
                when l.ordinality = 1 and p_carried > 0 then p_carried
                else l.weight * p_quantum end as turn
    from unnest(p_lanes) with ordinality l
    where l.ordinality >= p_next
  ), found as materialized (
    select j.id, a.n
    from asked a
    cross join lateral (
      select j.id from millrace.jobs j
      where j.tenant_id = a.tenant_id and j.definition_id = a.definition_id
        and j.status = 'queued' and j.pending_dependencies = 0 and not j.is_delayed and j.scheduled_for <= p_at
      order by j.priority, j.scheduled_for, j.id
      limit a.turn
      for no key update skip locked
    ) j
    limit p_most
  ), given as (
    select a.n, a.turn, coalesce(c.count, 0) as count,
           coalesce(sum(c.count) over (order by a.n rows between unbounded preceding and 1 preceding), 0) as before
    from asked a left join (select p.n, count(*) from found p group by p.n) c on c.n = a.n
  )
  select (select coalesce(array_agg(p.id), '{}') from found p),
         array_agg(v_open[g.n] and g.count = least(g.turn, p_left - g.before) order by g.n),
         max(g.n) filter (where g.before < p_most),
         array_agg(case when g.count = least(g.turn, p_most - g.before) then g.turn - g.count else 0 end order by g.n)
  into picked, v_opens, v_latest, v_credits
  from given g;

  open := v_open[1:p_next - 1] || v_opens;
  if p_shares is null then
    -- What a lane that was cut short has left of its turn stays its own.
    if v_latest is not null then
      last := v_latest;
      credit := v_credits[v_latest - p_next + 1];
    end if;
  elsif not open[last] then
    credit := 0;
  end if;
end $$;
