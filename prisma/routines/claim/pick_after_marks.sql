-- The first ready jobs of a lane that has marks: what lies before a mark is gone, as far as this worker saw.
-- Where that gives less than asked and `p_mark_full` says so, the lane is looked through from its beginning
-- too.
-- Locks: the rows FOR NO KEY UPDATE SKIP LOCKED. Index: jobs_ready_idx, once for each stretch between marks.
create or replace function millrace.pick_after_marks(
  p_tenant_id        uuid,
  p_definition_id    uuid,
  p_at               timestamptz,
  p_most             integer,
  p_mark_tenants     uuid[],
  p_mark_definitions uuid[],
  p_mark_priorities  integer[],
  p_mark_us          bigint[],
  p_mark_ids         uuid[],
  p_mark_full        boolean[]
)
returns uuid[] language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
declare
  v_picked  uuid[];
  v_is_full boolean;
begin
  with mark as materialized (
    select m.priority, m.us, m.id, m.is_full
    from unnest(p_mark_tenants, p_mark_definitions, p_mark_priorities, p_mark_us, p_mark_ids, p_mark_full)
      as m (tenant_id, definition_id, priority, us, id, is_full)
    where m.tenant_id = p_tenant_id and m.definition_id = p_definition_id
  ), stretch as materialized (
    -- From the lane's beginning to its first marked priority, and from each mark to the priority of the next.
    select -1 as priority, 0::bigint as us, '00000000-0000-0000-0000-000000000000'::uuid as id, min(m.priority) - 1 as upto from mark m
    union all
    select m.priority, m.us, m.id, lead(m.priority, 1, 1000001) over (order by m.priority) - 1 from mark m
  )
  select (
    select array_agg(p.id) from (
      select j.id
      from (select * from stretch order by priority) s
      cross join lateral (
        select j.id from millrace.jobs j
        where j.tenant_id = p_tenant_id and j.definition_id = p_definition_id
          and j.status = 'queued' and j.pending_dependencies = 0 and not j.is_delayed and j.scheduled_for <= p_at
          and (j.priority, j.scheduled_for, j.id) > (s.priority, timestamptz 'epoch' + s.us * interval '1 microsecond', s.id)
          and j.priority <= s.upto
        order by j.priority, j.scheduled_for, j.id
        limit p_most
        for no key update skip locked
      ) j
      limit p_most
    ) p
  ), (select bool_or(m.is_full) from mark m)
  into v_picked, v_is_full;

  v_picked := coalesce(v_picked, '{}');
  if v_is_full and cardinality(v_picked) < p_most then
    select v_picked || coalesce(array_agg(p.id), '{}') into v_picked
    from (
      select j.id from millrace.jobs j
      where j.tenant_id = p_tenant_id and j.definition_id = p_definition_id
        and j.status = 'queued' and j.pending_dependencies = 0 and not j.is_delayed and j.scheduled_for <= p_at
        -- SKIP LOCKED does not skip our own locks. (The array is unpacked for every row.)
        and (cardinality(v_picked) = 0 or j.id <> all (v_picked))
      order by j.priority, j.scheduled_for, j.id
      limit p_most - cardinality(v_picked)
      for no key update skip locked
    ) p;
  end if;
  return v_picked;
end $$;
