-- Jobs of lanes of which some are limited or marked, one lane after the other, each its turn or its share.
-- Gives the walk as it is then, and which lanes may have more. Locks: each candidate row FOR NO KEY UPDATE
-- SKIP LOCKED, the gates of limited lanes likewise. Index: jobs_ready_idx.
create or replace function millrace.pick_lanes_singly(
  p_lanes millrace.claim_lane[], p_next integer, p_begin integer, p_shares integer[], p_carried integer, p_quantum integer, p_turns integer,
  p_worker_id text, p_token uuid, p_ahead_ids uuid[],
  p_mark_tenants uuid[], p_mark_definitions uuid[], p_mark_priorities integer[], p_mark_us bigint[], p_mark_ids uuid[], p_mark_full boolean[],
  -- Left for lanes that are not claimed ahead, and left in all; `begun`: of limited lanes, whose runs have
  -- begun.
  inout at timestamptz, inout served uuid[], inout slots integer, inout remaining integer, inout open boolean[], inout last integer,
  inout credit integer, inout least_room integer, inout is_contended boolean, out picked uuid[], out begun millrace.claimed_job[]
) language plpgsql volatile as $$
declare
  n          constant integer := cardinality(p_lanes);
  v_carried  integer := p_carried;
  v_lane     millrace.claim_lane;
  v_turn     integer;
  v_share    integer;
  v_wanted   integer;
  v_is_ahead boolean;
  v_room     integer;
  v_gate     integer;
  v_pick     uuid[];
  v_count    integer;
  v_begun    millrace.claimed_job[];
  i          integer;
begin
  picked := '{}'; begun := '{}';
  for k in p_next..n loop
    i := (p_begin + k - 1) % n + 1;
    v_lane := p_lanes[i];
    if not v_lane.definition_id = any (served) then
      open[i] := false;
    end if;
    continue when not open[i];
    if p_shares is null then
      v_turn := case
        when i = 1 and v_carried > 0 then v_carried
        when not v_lane.is_limited then v_lane.weight * p_quantum
        else v_lane.weight * p_turns end;
      v_carried := 0;
      v_share := least(v_turn, remaining);
    else
      v_share := p_shares[i];
      continue when v_share = 0;
    end if;
    v_wanted := v_share;
    v_is_ahead := not v_lane.is_limited and v_lane.definition_id = any (p_ahead_ids);
    if not v_is_ahead then
      v_share := least(v_share, slots);
    end if;

    v_room := null;
    if v_lane.is_limited and v_share > 0 then
      -- One fixed order: definition, tenant, lane.
      v_room := 500;
      if num_nulls(v_lane.definition_max, v_lane.definition_rate) < 2 then
        v_gate := millrace.enter_gate('definition', null, v_lane.definition_id,
                                      v_lane.definition_max, v_lane.definition_rate, v_lane.definition_period);
        v_room := least(v_room, coalesce(v_gate, 0));
        is_contended := is_contended or v_gate is null;
        if v_room <= 0 then
          served := array_remove(served, v_lane.definition_id);
        end if;
      end if;
      if v_room > 0 and num_nulls(v_lane.tenant_max, v_lane.tenant_rate) < 2 then
        v_gate := millrace.enter_gate('tenant', v_lane.tenant_id, null, v_lane.tenant_max, v_lane.tenant_rate, v_lane.tenant_period);
        v_room := least(v_room, coalesce(v_gate, 0));
        is_contended := is_contended or v_gate is null;
      end if;
      if v_room > 0 and num_nulls(v_lane.lane_max, v_lane.lane_rate) < 2 then
        v_gate := millrace.enter_gate('lane', v_lane.tenant_id, v_lane.definition_id, v_lane.lane_max, v_lane.lane_rate, v_lane.lane_period);
        v_room := least(v_room, coalesce(v_gate, 0));
        is_contended := is_contended or v_gate is null;
      end if;
      v_share := least(v_share, greatest(v_room, 0));
      -- Rates count by claimed_at: it must not lie before the gates were ours.
      at := clock_timestamp();
    end if;

    v_pick := '{}';
    if v_share > 0 then
      if v_lane.is_marked then
        v_pick := millrace.pick_after_marks(v_lane.tenant_id, v_lane.definition_id, at, v_share, p_mark_tenants,
                                            p_mark_definitions, p_mark_priorities, p_mark_us, p_mark_ids, p_mark_full);
      else
        select coalesce(array_agg(p.id), '{}') into v_pick
        from (
          select j.id from millrace.jobs j
          where j.tenant_id = v_lane.tenant_id and j.definition_id = v_lane.definition_id
            and j.status = 'queued' and j.pending_dependencies = 0 and not j.is_delayed and j.scheduled_for <= at
          order by j.priority, j.scheduled_for, j.id
          limit v_share
          for no key update skip locked
        ) p;
      end if;
    end if;

    v_count := cardinality(v_pick);
    picked := picked || v_pick;
    remaining := remaining - v_count;
    if not v_is_ahead then
      slots := slots - v_count;
    end if;
    open[i] := v_count = v_wanted;
    if p_shares is null and v_share > 0 then
      -- What was cut short by a limit or by the slots still has the rest of its turn, what gave less than it
      -- was asked for has none. A lane that nothing could be given to has not had its turn: it is among the
      -- first of the next claim.
      last := i;
      credit := case when v_count = v_share then v_turn - v_count else 0 end;
    elsif p_shares is not null and i = last and not open[i] then
      credit := 0;
    end if;
    if v_lane.is_limited then
      least_room := least(least_room, v_room - v_count);
      if v_count > 0 then
        if v_lane.definition_rate is not null then
          perform millrace.note_starts('definition', null, v_lane.definition_id, v_lane.definition_period, v_count, at);
        end if;
        if v_lane.tenant_rate is not null then
          perform millrace.note_starts('tenant', v_lane.tenant_id, null, v_lane.tenant_period, v_count, at);
        end if;
        if v_lane.lane_rate is not null then
          perform millrace.note_starts('lane', v_lane.tenant_id, v_lane.definition_id, v_lane.lane_period, v_count, at);
        end if;
      end if;
      -- Limited lanes at once, so that the next count sees them; all others together.
      if cardinality(picked) > 0 then
        select array_agg(b) into v_begun from millrace.begin_runs(picked, p_worker_id, p_token, at, p_ahead_ids) b;
        begun := begun || v_begun;
        picked := '{}';
      end if;
    end if;
    exit when remaining = 0;
  end loop;
end $$;
