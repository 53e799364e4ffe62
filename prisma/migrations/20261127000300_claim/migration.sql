-- The claim. The unit is the lane (tenant, definition): it walks the lanes that the worker can serve from where its last
-- claim stopped, takes a share from each by the tenant's weight, and hands out leases in one UPDATE.
-- PL/pgSQL, because every statement in it has its own snapshot: limits that are counted under a lock need that.
-- Locks: each candidate row FOR NO KEY UPDATE SKIP LOCKED. Index: jobs_ready_idx (both the walk and the pick).

create function millrace.claim_jobs(
  p_worker_id        text,
  p_definition_ids   uuid[],
  p_limit            integer,
  p_after_tenant     uuid,
  p_after_definition uuid,
  p_max_lanes        integer
)
-- The cursor is that of the last lane visited, the same on every row. No row at all: the walk went once round in vain.
returns table (claimed millrace.jobs, cursor_tenant_id uuid, cursor_definition_id uuid)
-- Generic plans: the statements are index probes whatever the values, and planning them anew took longer than running them.
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
declare
  c_first constant uuid := '00000000-0000-0000-0000-000000000000';
  c_last  constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  v_now         timestamptz := clock_timestamp();
  v_served      uuid[];
  v_start_t     uuid := p_after_tenant;
  v_start_d     uuid := p_after_definition;
  v_seek_t      uuid;            -- the walk stands here: the next lane is after it …
  v_seek_d      uuid;
  v_inclusive   boolean;         -- … or at it
  v_wrapped     boolean;
  v_done        boolean := false;
  v_lane_t      uuid;
  v_lane_d      uuid;
  v_next_d      uuid;
  v_weight      integer;
  v_tenant      uuid;            -- whose weight v_weight is
  v_lanes_t     uuid[];
  v_lanes_d     uuid[];
  v_weights     integer[];
  v_total       integer;
  v_share       integer;
  v_full        boolean[];       -- the lane gave its whole share: it may have more
  v_picked      uuid[] := '{}';
  v_pick        uuid[];
  v_left        integer := least(greatest(p_limit, 0), 500);
begin
  if v_left = 0 then
    return;
  end if;
  select array_agg(d.id order by d.id) into v_served
  from millrace.job_definitions d where d.id = any (p_definition_ids) and d.paused_at is null;
  if v_served is null then
    return;
  end if;

  v_wrapped := v_start_t is null;
  v_seek_t := coalesce(v_start_t, c_first);
  v_seek_d := coalesce(v_start_d, c_first);
  v_inclusive := v_start_t is null;

  while v_left > 0 and cardinality(v_picked) = 0 and not v_done loop
    -- One stretch of lanes.
    v_lanes_t := '{}'; v_lanes_d := '{}'; v_weights := '{}'; v_total := 0;
    while cardinality(v_lanes_t) < least(p_max_lanes, v_left) and not v_done loop
      if v_inclusive then
        select j.tenant_id, j.definition_id into v_lane_t, v_lane_d from millrace.jobs j
        where j.status = 'queued' and j.pending_dependencies = 0
          and (j.tenant_id, j.definition_id) >= (v_seek_t, v_seek_d)
        order by j.tenant_id, j.definition_id limit 1;
      else
        select j.tenant_id, j.definition_id into v_lane_t, v_lane_d from millrace.jobs j
        where j.status = 'queued' and j.pending_dependencies = 0
          and (j.tenant_id, j.definition_id) > (v_seek_t, v_seek_d)
        order by j.tenant_id, j.definition_id limit 1;
      end if;

      if v_lane_t is null then
        -- The end of the index: go on from its beginning, up to where this claim began.
        if v_wrapped then
          v_done := true;
        else
          v_wrapped := true;
          v_seek_t := c_first; v_seek_d := c_first; v_inclusive := true;
        end if;
        continue;
      end if;
      if v_wrapped and v_start_t is not null and (v_lane_t, v_lane_d) > (v_start_t, v_start_d) then
        v_done := true;
        continue;
      end if;
      v_seek_t := v_lane_t; v_seek_d := v_lane_d; v_inclusive := false;

      if v_lane_d <> all (v_served) then
        -- Not ours: leap to the next definition that is, or past this tenant, however many lanes lie between.
        select s.id into v_next_d from unnest(v_served) as s (id) where s.id > v_lane_d order by s.id limit 1;
        v_inclusive := v_next_d is not null;
        v_seek_d := coalesce(v_next_d, c_last);
        continue;
      end if;
      if v_tenant is distinct from v_lane_t then
        v_tenant := v_lane_t;
        select t.weight into v_weight from millrace.tenants t
        where t.id = v_lane_t and t.paused_at is null and t.deleted_at is null;
      end if;
      if v_weight is null then
        v_seek_d := c_last;
        continue;
      end if;
      v_lanes_t := v_lanes_t || v_lane_t;
      v_lanes_d := v_lanes_d || v_lane_d;
      v_weights := v_weights || v_weight;
      v_total := v_total + v_weight;
    end loop;

    -- Its share from each lane; what some leave over goes to those that gave all they were asked for.
    v_full := array_fill(true, array[greatest(cardinality(v_lanes_t), 1)]);
    for v_round in 1..2 loop
      for i in 1..cardinality(v_lanes_t) loop
        exit when v_left <= 0;
        continue when not v_full[i];
        v_share := case when v_round = 2 then v_left
                        else least(v_left, greatest(1, ceil(p_limit::numeric * v_weights[i] / v_total)::integer)) end;
        select coalesce(array_agg(p.id), '{}') into v_pick
        from (
          select j.id from millrace.jobs j
          where j.tenant_id = v_lanes_t[i] and j.definition_id = v_lanes_d[i]
            and j.status = 'queued' and j.pending_dependencies = 0 and j.scheduled_for <= v_now
            -- SKIP LOCKED does not skip our own locks: the second round must not pick the first one's rows again.
            and (v_round = 1 or j.id <> all (v_picked))
          order by j.priority, j.scheduled_for, j.id
          limit v_share
          for no key update skip locked
        ) p;
        v_full[i] := cardinality(v_pick) = v_share;
        v_picked := v_picked || v_pick;
        v_left := v_left - cardinality(v_pick);
        if v_round = 1 then
          cursor_tenant_id := v_lanes_t[i];
          cursor_definition_id := v_lanes_d[i];
        end if;
      end loop;
    end loop;
  end loop;

  if cardinality(v_picked) = 0 then
    return;
  end if;
  return query
  update millrace.jobs as j
  set status = 'running',
      run_no = j.run_no + 1,
      lease_token = v_token.token,
      lease_expires_at = clock_timestamp() + make_interval(secs => d.lease_seconds),
      claimed_by_worker = p_worker_id,
      claimed_at = v_now,
      started_at = v_now,
      version = j.version + 1,
      changed_xid = pg_current_xact_id()
  from millrace.job_definitions d, (select gen_random_uuid() as token) v_token
  where j.id = any (v_picked) and d.id = j.definition_id
  returning j, claim_jobs.cursor_tenant_id, claim_jobs.cursor_definition_id;
end $$;
