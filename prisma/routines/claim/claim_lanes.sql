-- The walk over the lanes, for who has `p_slots` free slots and wants `p_wanted` jobs in all: gives each lane so many jobs a turn as
-- its tenant's weight says (a deficit round robin: what a lane has left of its turn when the claim is full is the credit that it
-- begins the next claim with), and hands out leases.
-- Locks: each candidate row FOR NO KEY UPDATE SKIP LOCKED, the gates of limited lanes likewise. Index: jobs_ready_idx.
create or replace function millrace.claim_lanes(
  p_worker_id        text,
  p_served           uuid[],
  p_slots            integer,
  p_wanted           integer,
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
  p_mark_full        boolean[]
)
returns setof millrace.claimed_job
-- Generic plans: the statements are index probes whatever the values, and planning them anew took longer than running them.
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
declare
  c_first constant uuid := '00000000-0000-0000-0000-000000000000';
  c_last  constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  v_at        timestamptz := clock_timestamp();
  v_token     constant uuid := gen_random_uuid();
  v_slots     integer := p_slots;                               -- left for lanes that are not claimed ahead
  v_left      integer := p_wanted;                              -- left in all
  v_quantum   integer;                                          -- jobs a turn for a weight of 1
  v_served    uuid[] := p_served;
  v_from_t    uuid; v_from_d uuid;                              -- where the walk began
  v_seek_t    uuid; v_seek_d uuid;                              -- where it goes on
  v_end_t     uuid := c_last; v_end_d uuid := c_last;           -- before which this stretch ends
  v_wrapped   boolean := p_after_tenant is null;
  v_is_round  boolean := false;                                 -- all lanes are known
  v_wanted    integer;
  v_found     millrace.claim_lane[];
  v_lanes     millrace.claim_lane[] := '{}';
  v_lane      millrace.claim_lane;
  v_open      boolean[] := '{}';                                -- it gave all that it was asked for: it may have more
  v_shares    integer[];
  v_turn      integer;
  v_share     integer;
  v_total     integer;
  v_spare     integer;
  v_last      integer := 0;                                     -- the last lane that had a turn …
  v_credit    integer := 0;                                     -- … and what it has left of it
  v_room      integer;
  v_is_ahead  boolean;
  v_pick      uuid[];                                           -- of this lane, or of all lanes of this turn
  v_is_plain  boolean;                                          -- all lanes may be read in one statement
  v_most      integer;
  v_opens     boolean[];
  v_latest    integer;
  v_credits   integer[];
  v_ids       uuid[] := '{}';                                   -- locked and not updated yet
  v_carried   integer;                                          -- what the first lane has left of the turn before
  v_next      integer;
  v_rounds    integer;
  v_begin     integer;
  v_is_even   boolean;
  v_is_stepwise boolean;
  v_turns     integer;                                          -- rounds at a time for limited lanes
  v_weight    integer;                                          -- of all limited lanes
  v_gate      integer;
  v_least_room integer;
  v_count     integer;
  v_is_contended boolean := false;
  n           integer;
  i           integer;
begin
  -- The same for all lanes of a claim, so that shares follow the weights; large enough that few lanes are visited.
  v_quantum := ceil(v_left::numeric / p_max_lanes)::integer;
  -- A lane that has used up its turn is the last of this round, one that has some of it left the first.
  v_from_t := coalesce(p_after_tenant, c_first);
  v_from_d := case
    when p_after_tenant is null then c_first
    when p_credit > 0 then p_after_definition
    else coalesce((select s from unnest(v_served) s where s > p_after_definition order by s limit 1), c_last) end;
  v_seek_t := v_from_t; v_seek_d := v_from_d;

  while v_left > 0 and not v_is_round and cardinality(v_served) > 0 loop
    -- A stretch of lanes; past the end of the index on from its beginning, up to where this claim began.
    v_wanted := least(p_max_lanes, v_left);
    v_found := millrace.find_lanes(v_seek_t, v_seek_d, v_end_t, v_end_d, v_served, p_ahead_ids, v_slots = 0, v_wanted,
                                   p_mark_tenants, p_mark_definitions);
    if cardinality(v_found) < v_wanted and not v_wrapped then
      v_wrapped := true;
      v_end_t := v_from_t; v_end_d := v_from_d;
      v_found := v_found || millrace.find_lanes(c_first, c_first, v_end_t, v_end_d, v_served, p_ahead_ids, v_slots = 0,
                                                v_wanted - cardinality(v_found), p_mark_tenants, p_mark_definitions);
    end if;
    v_is_round := cardinality(v_found) < v_wanted;
    if not v_is_round then
      v_lane := v_found[v_wanted];
      v_seek_t := v_lane.tenant_id;
      v_seek_d := coalesce((select s from unnest(v_served) s where s > v_lane.definition_id order by s limit 1), c_last);
    end if;
    v_next := cardinality(v_lanes) + 1;
    v_lanes := v_lanes || v_found;
    n := cardinality(v_lanes);
    v_is_plain := not exists (select from unnest(v_lanes) l where l.is_limited or l.is_marked)
                  and (select count(distinct l.definition_id = any (p_ahead_ids)) from unnest(v_lanes) l) = 1;
    v_open := v_open || array_fill(true, array[cardinality(v_found)]);
    exit when n = 0;
    v_lane := v_lanes[1];
    v_carried := case when v_last = 0 and v_lane.tenant_id = p_after_tenant and v_lane.definition_id = p_after_definition
                      then p_credit else 0 end;

    loop
      -- While lanes may follow, each new one has one turn. When all are known they have turns in rounds: reckoned out at once
      -- where nothing is limited, so that each lane is looked at once; step by step where the room of one lane may be that of
      -- another, or the first would always take it all.
      v_begin := 0;
      v_is_stepwise := true;
      if v_is_round then
        v_total := 0; v_is_stepwise := false; v_weight := 0;
        for i in 1..n loop
          v_lane := v_lanes[i];
          continue when not v_open[i];
          v_total := v_total + v_lane.weight * v_quantum;
          if v_lane.is_limited then
            v_is_stepwise := true;
            v_weight := v_weight + v_lane.weight;
          end if;
        end loop;
        exit when v_total = 0;
        v_next := 1;
        if v_is_stepwise then
          v_begin := v_last;
          -- As many turns as every limit seen has room for them all.
          v_turns := greatest(1, coalesce(v_least_room, 0) / greatest(v_weight, 1));
          v_least_room := null;
        else
          v_shares := array_fill(0, array[n]);
          v_spare := v_left;
          if v_carried > 0 then
            v_last := 1;
            v_share := least(v_carried, v_spare);
            v_shares[1] := v_share;
            v_spare := v_spare - v_share;
            v_credit := v_carried - v_share;
          end if;
          v_rounds := v_spare / v_total;
          v_is_even := v_rounds > 0 and v_spare = v_rounds * v_total;
          v_begin := v_last;
          for k in 1..n loop
            i := (v_begin + k - 1) % n + 1;
            v_lane := v_lanes[i];
            continue when not v_open[i];
            v_turn := v_lane.weight * v_quantum;
            v_share := least(v_turn, v_spare - v_rounds * v_total);
            v_shares[i] := v_shares[i] + v_rounds * v_turn + v_share;
            v_spare := v_spare - v_share;
            if v_share > 0 or v_is_even then
              v_last := i; v_credit := v_turn - case when v_is_even then v_turn else v_share end;
            end if;
          end loop;
          v_begin := 0;
          v_carried := 0;
        end if;
      end if;

      if v_is_plain then
        -- Each lane its turn or share, in their order, until enough is found: the LIMIT around them stops the reading.
        v_is_ahead := (v_lanes[1]).definition_id = any (p_ahead_ids);
        v_most := case when v_is_ahead then v_left else least(v_left, v_slots) end;
        with asked as materialized (
          select l.ordinality::integer as n, l.tenant_id, l.definition_id,
                 case when not v_is_stepwise then v_shares[l.ordinality]
                      when l.ordinality = 1 and v_carried > 0 then v_carried
                      else l.weight * v_quantum end as turn
          from unnest(v_lanes) with ordinality l
          where l.ordinality >= v_next
        ), picked as materialized (
          select j.id, a.n
          from asked a
          cross join lateral (
            select j.id from millrace.jobs j
            where j.tenant_id = a.tenant_id and j.definition_id = a.definition_id
              and j.status = 'queued' and j.pending_dependencies = 0 and not j.is_delayed and j.scheduled_for <= v_at
            order by j.priority, j.scheduled_for, j.id
            limit a.turn
            for no key update skip locked
          ) j
          limit v_most
        ), given as (
          select a.n, a.turn, coalesce(c.count, 0) as count,
                 coalesce(sum(c.count) over (order by a.n rows between unbounded preceding and 1 preceding), 0) as before
          from asked a left join (select p.n, count(*) from picked p group by p.n) c on c.n = a.n
        )
        select (select coalesce(array_agg(p.id), '{}') from picked p),
               array_agg(v_open[g.n] and g.count = least(g.turn, v_left - g.before) order by g.n),
               max(g.n) filter (where g.before < v_most),
               array_agg(case when g.count = least(g.turn, v_most - g.before) then g.turn - g.count else 0 end order by g.n)
        into v_pick, v_opens, v_latest, v_credits
        from given g;

        v_open := v_open[1:v_next - 1] || v_opens;
        if v_is_stepwise then
          -- As below: what a lane that was cut short has left of its turn stays its own.
          if v_latest is not null then
            v_last := v_latest;
            v_credit := v_credits[v_last - v_next + 1];
          end if;
        elsif not v_open[v_last] then
          v_credit := 0;
        end if;
        v_count := cardinality(v_pick);
        v_ids := v_ids || v_pick;
        v_left := v_left - v_count;
        if not v_is_ahead then
          v_slots := v_slots - v_count;
        end if;
      else
        for k in v_next..n loop
          i := (v_begin + k - 1) % n + 1;
          v_lane := v_lanes[i];
          if not v_lane.definition_id = any (v_served) then
            v_open[i] := false;
          end if;
          continue when not v_open[i];
          if v_is_stepwise then
            v_turn := case
              when i = 1 and v_carried > 0 then v_carried
              when not v_lane.is_limited then v_lane.weight * v_quantum
              when v_is_round then v_lane.weight * v_turns
              else v_lane.weight end;
            v_carried := 0;
            v_share := least(v_turn, v_left);
          else
            v_share := v_shares[i];
            continue when v_share = 0;
          end if;
          v_wanted := v_share;
          v_is_ahead := not v_lane.is_limited and v_lane.definition_id = any (p_ahead_ids);
          if not v_is_ahead then
            v_share := least(v_share, v_slots);
          end if;

          v_room := null;
          if v_lane.is_limited and v_share > 0 then
            -- One fixed order: definition, tenant, lane.
            v_room := 500;
            if num_nulls(v_lane.definition_max, v_lane.definition_rate) < 2 then
              v_gate := millrace.enter_gate('definition', null, v_lane.definition_id,
                                            v_lane.definition_max, v_lane.definition_rate, v_lane.definition_period);
              v_room := least(v_room, coalesce(v_gate, 0));
              v_is_contended := v_is_contended or v_gate is null;
              if v_room <= 0 then
                v_served := array_remove(v_served, v_lane.definition_id);
              end if;
            end if;
            if v_room > 0 and num_nulls(v_lane.tenant_max, v_lane.tenant_rate) < 2 then
              v_gate := millrace.enter_gate('tenant', v_lane.tenant_id, null,
                                            v_lane.tenant_max, v_lane.tenant_rate, v_lane.tenant_period);
              v_room := least(v_room, coalesce(v_gate, 0));
              v_is_contended := v_is_contended or v_gate is null;
            end if;
            if v_room > 0 and num_nulls(v_lane.lane_max, v_lane.lane_rate) < 2 then
              v_gate := millrace.enter_gate('lane', v_lane.tenant_id, v_lane.definition_id,
                                            v_lane.lane_max, v_lane.lane_rate, v_lane.lane_period);
              v_room := least(v_room, coalesce(v_gate, 0));
              v_is_contended := v_is_contended or v_gate is null;
            end if;
            v_share := least(v_share, greatest(v_room, 0));
            -- Rates count by claimed_at: it must not lie before the gates were ours.
            v_at := clock_timestamp();
          end if;

          v_pick := '{}';
          if v_share > 0 then
            if v_lane.is_marked then
              v_pick := millrace.pick_after_marks(v_lane.tenant_id, v_lane.definition_id, v_at, v_share, p_mark_tenants,
                                                  p_mark_definitions, p_mark_priorities, p_mark_us, p_mark_ids, p_mark_full);
            else
              select coalesce(array_agg(p.id), '{}') into v_pick
              from (
                select j.id from millrace.jobs j
                where j.tenant_id = v_lane.tenant_id and j.definition_id = v_lane.definition_id
                  and j.status = 'queued' and j.pending_dependencies = 0 and not j.is_delayed and j.scheduled_for <= v_at
                order by j.priority, j.scheduled_for, j.id
                limit v_share
                for no key update skip locked
              ) p;
            end if;
          end if;

          v_count := cardinality(v_pick);
          v_ids := v_ids || v_pick;
          v_left := v_left - v_count;
          if not v_is_ahead then
            v_slots := v_slots - v_count;
          end if;
          v_open[i] := v_count = v_wanted;
          if v_is_stepwise and v_share > 0 then
            -- What was cut short by a limit or by the slots still has the rest of its turn, what gave less than it was asked for has
            -- none. A lane that nothing could be given to has not had its turn: it is among the first of the next claim.
            v_last := i;
            v_credit := case when v_count = v_share then v_turn - v_count else 0 end;
          elsif not v_is_stepwise and i = v_last and not v_open[i] then
            v_credit := 0;
          end if;
          if v_lane.is_limited then
            v_least_room := least(v_least_room, v_room - v_count);
          end if;
          if v_lane.is_limited and v_count > 0 then
            if v_lane.definition_rate is not null then
              perform millrace.note_starts('definition', null, v_lane.definition_id, v_lane.definition_period, v_count, v_at);
            end if;
            if v_lane.tenant_rate is not null then
              perform millrace.note_starts('tenant', v_lane.tenant_id, null, v_lane.tenant_period, v_count, v_at);
            end if;
            if v_lane.lane_rate is not null then
              perform millrace.note_starts('lane', v_lane.tenant_id, v_lane.definition_id, v_lane.lane_period, v_count, v_at);
            end if;
          end if;

          -- Limited lanes at once, so that the next count sees them; all others together.
          if v_lane.is_limited and cardinality(v_ids) > 0 then
            return query select * from millrace.begin_runs(v_ids, p_worker_id, v_token, v_at, p_ahead_ids);
            v_ids := '{}';
          end if;
          exit when v_left = 0;
        end loop;
      end if;
      v_carried := 0;
      -- Before the next look at the same lanes: SKIP LOCKED does not skip our own locks.
      if cardinality(v_ids) > 0 then
        return query select * from millrace.begin_runs(v_ids, p_worker_id, v_token, v_at, p_ahead_ids);
        v_ids := '{}';
      end if;
      exit when not v_is_round or v_left = 0 or not true = any (v_open);
    end loop;
  end loop;

  return next millrace.end_of_claim(
    v_token, v_at,
    case when v_last > 0 then (v_lanes[v_last]).tenant_id else p_after_tenant end,
    case when v_last > 0 then (v_lanes[v_last]).definition_id else p_after_definition end,
    case when v_last > 0 then v_credit else p_credit end,
    v_is_round and (n = 0 or (n = 1 and not (v_lanes[1]).is_limited)),
    v_is_contended);
end $$;
