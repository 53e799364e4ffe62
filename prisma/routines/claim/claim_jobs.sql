-- The claim. The unit is the lane (tenant, definition). A single lane without limits needs no turns: that
-- short path takes less than half the time, most of which is the preparation of a function's expressions,
-- once a transaction. Otherwise claim_lanes walks the lanes from where the last claim stopped. Delayed jobs
-- that are due become ready first. Locks and indexes as claim_lanes, and jobs_delayed_idx.
create or replace function millrace.claim_jobs(
  p_worker_id        text,
  p_definition_ids   uuid[],
  -- Free slots: at most this many of lanes that are not claimed ahead …
  p_limit            integer,
  -- … and this many more of these definitions, where nothing limits them.
  p_ahead            integer,
  p_ahead_ids        uuid[],
  p_after_tenant     uuid,
  p_after_definition uuid,
  p_credit           integer,
  p_max_lanes        integer,
  -- Marks, by lane and priority: what lies before them is gone, as far as this worker saw.
  p_mark_tenants     uuid[],
  p_mark_definitions uuid[],
  p_mark_priorities  integer[],
  p_mark_us          bigint[],
  p_mark_ids         uuid[],
  -- True: when the look from the mark gives less than asked, the lane is looked through from its beginning.
  p_mark_full        boolean[],
  -- The worker's last claim found one lane at most: the short way is worth a look. Without a default, so that
  -- the call of a worker which does not know the columns of the answer finds no function.
  p_is_alone         boolean
)
returns setof millrace.claimed_job
-- Generic plans: the statements are index probes for any values, and planning them took longer than running.
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
declare
  v_at        timestamptz; v_token uuid;
  v_ahead_ids uuid[];
  v_slots     integer; v_wanted integer;
  v_served    uuid[];
  v_lanes     millrace.claim_lane[]; v_lane millrace.claim_lane;
  v_tenant    uuid;                                             -- the lone lane
  v_definition uuid;
  v_weight    integer;
  v_is_marked boolean;
  v_ids       uuid[];
  v_most      integer;                                          -- jobs of the lane that may be claimed
  v_turn      integer;                                          -- of the lane, each time again …
  v_rest      integer;                                          -- … and what it has left of the one before
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'millrace.claim_jobs was called in a % transaction, allowed: read committed',
      current_setting('transaction_isolation') using errcode = 'invalid_transaction_state';
  end if;
  select case when p_ahead > 0 then coalesce(p_ahead_ids, '{}') else '{}' end, least(greatest(p_limit, 0), 500)
  into v_ahead_ids, v_slots;
  v_wanted := v_slots + case when cardinality(v_ahead_ids) > 0 then least(p_ahead, 500 - v_slots) else 0 end;
  if v_wanted <= 0 then
    return;
  end if;
  select array_agg(d.id order by d.id) into v_served
  from millrace.job_definitions d
  where d.id = any (p_definition_ids) and d.paused_at is null
    and (v_slots > 0 or d.id = any (v_ahead_ids))
    and (num_nulls(d.max_running, d.rate_limit_count) = 2
         or millrace.has_room('definition', null, d.id, d.max_running, d.rate_limit_count, d.rate_limit_period_seconds));
  if v_served is null then
    return;
  end if;

  -- The first entry alone: no index takes a comparison with the clock, so it would be made with every job.
  if (select j.scheduled_for from millrace.jobs j
      where j.status = 'queued' and j.pending_dependencies = 0 and j.is_delayed
      order by j.scheduled_for limit 1) <= clock_timestamp()
  then
    perform millrace.promote_due_jobs(500);
  end if;

  if p_is_alone then
    select clock_timestamp(), gen_random_uuid() into v_at, v_token;
    -- Most often it is still the lane of the last claim. Looked at by itself, since finding the lanes is a
    -- third of a claim of one job: unlimited, not paused, and no entry of the index before or behind it.
    select t.weight, cardinality(p_mark_tenants) > 0 into v_weight, v_is_marked
    from millrace.tenants t
    join millrace.job_definitions d on d.id = p_after_definition
    left join millrace.lane_limits q on q.tenant_id = t.id and q.definition_id = d.id
    where t.id = p_after_tenant and t.paused_at is null and t.deleted_at is null and d.id = any (v_served)
      and num_nonnulls(d.max_running, d.rate_limit_count, d.max_running_per_tenant, d.rate_limit_per_tenant_count,
                       t.max_running, t.rate_limit_count, q.max_running, q.rate_limit_count) = 0
      and p_after_tenant = all (p_mark_tenants) and p_after_definition = all (p_mark_definitions)
      and (select true from millrace.jobs j
           where j.status = 'queued' and j.pending_dependencies = 0 and not j.is_delayed
             and (j.tenant_id, j.definition_id) < (p_after_tenant, p_after_definition)
           order by j.tenant_id, j.definition_id limit 1) is null
      and (select true from millrace.jobs j
           where j.status = 'queued' and j.pending_dependencies = 0 and not j.is_delayed
             and (j.tenant_id, j.definition_id) > (p_after_tenant, p_after_definition)
           order by j.tenant_id, j.definition_id limit 1) is null;
    if v_weight is not null then
      v_tenant := p_after_tenant;
      v_definition := p_after_definition;
    else
      v_lanes := millrace.find_lanes(
        '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000',
        'ffffffff-ffff-ffff-ffff-ffffffffffff', 'ffffffff-ffff-ffff-ffff-ffffffffffff',
        v_served, v_ahead_ids, v_slots = 0, 2, p_mark_tenants, p_mark_definitions);
      if cardinality(v_lanes) = 0 then
        return next millrace.end_of_claim(v_token, v_at, p_after_tenant, p_after_definition, p_credit, true, false);
        return;
      end if;
      v_lane := v_lanes[1];
      if cardinality(v_lanes) = 1 and not v_lane.is_limited then
        v_tenant := v_lane.tenant_id;
        v_definition := v_lane.definition_id;
        v_weight := v_lane.weight;
        v_is_marked := v_lane.is_marked;
      end if;
    end if;
  end if;

  if v_tenant is not null then
    v_most := case when v_definition = any (v_ahead_ids) then v_wanted else least(v_wanted, v_slots) end;
    if v_is_marked then
      v_ids := millrace.pick_after_marks(v_tenant, v_definition, v_at, v_most, p_mark_tenants, p_mark_definitions,
                                         p_mark_priorities, p_mark_us, p_mark_ids, p_mark_full);
    else
      select coalesce(array_agg(p.id), '{}') into v_ids
      from (
        select j.id from millrace.jobs j
        where j.tenant_id = v_tenant and j.definition_id = v_definition
          and j.status = 'queued' and j.pending_dependencies = 0 and not j.is_delayed and j.scheduled_for <= v_at
        order by j.priority, j.scheduled_for, j.id
        limit v_most
        for no key update skip locked
      ) p;
    end if;
    if cardinality(v_ids) > 0 then
      return query select * from millrace.begin_runs(v_ids, p_worker_id, v_token, v_at, v_ahead_ids);
    end if;
    -- What is left of its turn stays its own, as in the walk: other lanes may have jobs by the next claim.
    v_turn := v_weight * ceil(v_wanted::numeric / p_max_lanes)::integer;
    v_rest := case when p_after_tenant = v_tenant and p_after_definition = v_definition then p_credit else 0 end;
    v_rest := case
      when cardinality(v_ids) < v_most then 0
      when v_most <= v_rest then v_rest - v_most
      when (v_most - v_rest) % v_turn = 0 then 0
      else v_turn - (v_most - v_rest) % v_turn end;
    return next millrace.end_of_claim(v_token, v_at, v_tenant, v_definition, v_rest, true, false);
    return;
  end if;
  return query select * from millrace.claim_lanes(
    p_worker_id, v_served, v_slots, v_wanted, v_ahead_ids, p_after_tenant, p_after_definition, p_credit, p_max_lanes,
    p_mark_tenants, p_mark_definitions, p_mark_priorities, p_mark_us, p_mark_ids, p_mark_full);
end $$;
