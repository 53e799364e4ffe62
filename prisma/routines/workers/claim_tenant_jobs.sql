-- needs: begin_runs, end_of_claim, enter_gate, note_starts
-- The claim of a worker that may have the jobs of one tenant alone: its lanes in the order of the definitions
-- given, which the caller changes from claim to claim. Each lane has an equal share of what is wanted, and
-- what others leave of theirs.
-- Locks: each candidate row FOR NO KEY UPDATE SKIP LOCKED, the gates of limited lanes likewise. Index:
-- jobs_ready_idx.
create or replace function millrace.claim_tenant_jobs(
  p_worker_id text, p_tenant_id uuid, p_definition_ids uuid[], p_limit integer
) returns setof millrace.claimed_job
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
declare
  v_at           timestamptz := clock_timestamp();
  v_token        constant uuid := gen_random_uuid();
  v_left         integer := least(greatest(p_limit, 0), 500);
  v_lanes        integer := cardinality(p_definition_ids);
  v_seen         integer;
  v_lane         record;
  v_gate         integer;
  v_share        integer;
  v_ids          uuid[];
  v_is_contended boolean := false;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'millrace.claim_tenant_jobs was called in a % transaction, allowed: read committed',
      current_setting('transaction_isolation') using errcode = 'invalid_transaction_state';
  end if;
  -- The second pass gives away what lanes of the first had left.
  for v_pass in 1..2 loop
    v_seen := 0;
    for v_lane in
      select l.place, d.id,
             d.max_running as definition_max, d.rate_limit_count as definition_rate, d.rate_limit_period_seconds as definition_period,
             t.max_running as tenant_max, t.rate_limit_count as tenant_rate, t.rate_limit_period_seconds as tenant_period,
             coalesce(q.max_running, d.max_running_per_tenant) as lane_max,
             coalesce(q.rate_limit_count, d.rate_limit_per_tenant_count) as lane_rate,
             coalesce(q.rate_limit_period_seconds, d.rate_limit_per_tenant_period_seconds) as lane_period
      from unnest(p_definition_ids) with ordinality l (id, place)
      join millrace.job_definitions d on d.id = l.id and d.paused_at is null
      join millrace.tenants t on t.id = p_tenant_id and t.paused_at is null and t.deleted_at is null
      left join millrace.lane_limits q on q.tenant_id = t.id and q.definition_id = d.id
      where (select true from millrace.jobs j
             where j.tenant_id = p_tenant_id and j.definition_id = l.id and j.status = 'queued' and j.pending_dependencies = 0
               and j.scheduled_for <= v_at limit 1)
      order by l.place
    loop
      exit when v_left = 0;
      v_share := case when v_pass = 1 then ceil(v_left::numeric / greatest(v_lanes - v_lane.place + 1, 1))::integer else v_left end;
      -- One fixed order: definition, tenant, lane.
      if num_nonnulls(v_lane.definition_max, v_lane.definition_rate) > 0 then
        v_gate := millrace.enter_gate('definition', null, v_lane.id, v_lane.definition_max, v_lane.definition_rate, v_lane.definition_period);
        v_is_contended := v_is_contended or v_gate is null;
        v_share := least(v_share, greatest(coalesce(v_gate, 0), 0));
      end if;
      if v_share > 0 and num_nonnulls(v_lane.tenant_max, v_lane.tenant_rate) > 0 then
        v_gate := millrace.enter_gate('tenant', p_tenant_id, null, v_lane.tenant_max, v_lane.tenant_rate, v_lane.tenant_period);
        v_is_contended := v_is_contended or v_gate is null;
        v_share := least(v_share, greatest(coalesce(v_gate, 0), 0));
      end if;
      if v_share > 0 and num_nonnulls(v_lane.lane_max, v_lane.lane_rate) > 0 then
        v_gate := millrace.enter_gate('lane', p_tenant_id, v_lane.id, v_lane.lane_max, v_lane.lane_rate, v_lane.lane_period);
        v_is_contended := v_is_contended or v_gate is null;
        v_share := least(v_share, greatest(coalesce(v_gate, 0), 0));
      end if;
      continue when v_share = 0;
      -- Rates count by claimed_at: it must not lie before the gates were ours.
      v_at := clock_timestamp();
      select coalesce(array_agg(p.id), '{}') into v_ids
      from (
        select j.id from millrace.jobs j
        where j.tenant_id = p_tenant_id and j.definition_id = v_lane.id
          and j.status = 'queued' and j.pending_dependencies = 0 and j.scheduled_for <= v_at
        order by j.priority, j.scheduled_for, j.id
        limit v_share
        for no key update skip locked
      ) p;
      continue when cardinality(v_ids) = 0;
      if v_lane.definition_rate is not null then
        perform millrace.note_starts('definition', null, v_lane.id, v_lane.definition_period, cardinality(v_ids), v_at);
      end if;
      if v_lane.tenant_rate is not null then
        perform millrace.note_starts('tenant', p_tenant_id, null, v_lane.tenant_period, cardinality(v_ids), v_at);
      end if;
      if v_lane.lane_rate is not null then
        perform millrace.note_starts('lane', p_tenant_id, v_lane.id, v_lane.lane_period, cardinality(v_ids), v_at);
      end if;
      return query select * from millrace.begin_runs(v_ids, p_worker_id, v_token, v_at, '{}'::uuid[]);
      v_left := v_left - cardinality(v_ids);
      v_seen := v_seen + 1;
    end loop;
    exit when v_left = 0 or v_seen = 0;
  end loop;
  return next millrace.end_of_claim(v_token, v_at, null, null, 0, false, v_is_contended);
end $$;
