-- The walk over the lanes, for a caller with `p_slots` free slots that wants `p_wanted` jobs in all: gives
-- each lane as many jobs a turn as its tenant's weight says (a deficit round robin: what a lane has left of
-- its turn when the claim is full is the credit that it begins the next claim with), and hands out leases.
-- Locks: candidate rows and gates of limited lanes FOR NO KEY UPDATE SKIP LOCKED. Index: jobs_ready_idx.
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
-- Generic plans: the statements are index probes for any values, and planning them took longer than running.
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
declare
  c_first constant uuid := '00000000-0000-0000-0000-000000000000';
  c_last  constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  v_token constant uuid := gen_random_uuid();
  -- Jobs a turn for a weight of 1: the same for all lanes of a claim, so that shares follow the weights;
  -- large enough that few are visited.
  v_quantum constant integer := ceil(p_wanted::numeric / p_max_lanes)::integer;
  v_at        timestamptz := clock_timestamp();
  v_served    uuid[] := p_served;
  v_slots     integer := p_slots;                               -- left for lanes that are not claimed ahead
  v_left      integer := p_wanted;                              -- left in all
  v_last      integer := 0;                                     -- the last lane that had a turn …
  v_credit    integer := 0;                                     -- … and what it has left of it
  v_least_room integer; v_is_contended boolean := false;
  v_ids       uuid[];                                           -- locked and not updated yet
  v_begun     millrace.claimed_job[];
  v_from_t    uuid; v_from_d uuid;                              -- where the walk began
  v_seek_t    uuid; v_seek_d uuid;                              -- where it goes on
  v_end_t     uuid := c_last; v_end_d uuid := c_last;           -- before which this stretch ends
  v_wrapped   boolean := p_after_tenant is null;
  v_is_round  boolean := false;                                 -- all lanes are known
  v_wanted    integer;
  v_found     millrace.claim_lane[]; v_lane millrace.claim_lane;
  v_lanes     millrace.claim_lane[] := '{}';
  v_open      boolean[] := '{}';                                -- it gave all that it was asked for: it may have more
  v_shares    integer[];                                        -- null: step by step
  v_carried   integer;                                          -- what the first lane has left of the turn before
  v_next      integer; v_begin integer;
  v_is_plain  boolean;                                          -- all lanes may be read in one statement
  v_turns     integer;                                          -- rounds at a time for limited lanes
  v_total     integer;                                          -- jobs of one turn of all lanes
  v_weight    integer;                                          -- of all limited lanes
  v_is_ahead  boolean; n integer;
begin
  -- A lane that has used up its turn is the last of this round, one that has some of it left the first.
  v_from_t := coalesce(p_after_tenant, c_first);
  v_from_d := case
    when p_after_tenant is null then c_first
    when p_credit > 0 then p_after_definition
    else coalesce((select s from unnest(p_served) s where s > p_after_definition order by s limit 1), c_last) end;
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
      -- While lanes may follow, each new one has one turn. When all are known they have turns in rounds:
      -- computed at once where nothing is limited, so that each lane is looked at once; step by step
      -- where the room of one lane may be that of another, or the first would always take it all.
      v_begin := 0; v_shares := null; v_turns := 1;
      if v_is_round then
        select coalesce(sum(l.weight * v_quantum), 0), sum(l.weight) filter (where l.is_limited) into v_total, v_weight
        from unnest(v_lanes) with ordinality l where v_open[l.ordinality];
        exit when v_total = 0;
        v_next := 1;
        if v_weight is not null then
          v_begin := v_last;
          -- As many turns as every limit seen has room for them all.
          v_turns := greatest(1, coalesce(v_least_room, 0) / greatest(v_weight, 1));
          v_least_room := null;
        else
          select s.shares, s.last, s.credit into v_shares, v_last, v_credit
          from millrace.lane_shares(v_lanes, v_open, v_left, v_total, v_quantum, v_carried, v_last, v_credit) s;
          v_carried := 0;
        end if;
      end if;

      if v_is_plain then
        v_is_ahead := (v_lanes[1]).definition_id = any (p_ahead_ids);
        select p.open, p.last, p.credit, p.picked into v_open, v_last, v_credit, v_ids
        from millrace.pick_plain_lanes(v_lanes, v_next, v_shares, v_carried, v_quantum, v_at,
          case when v_is_ahead then v_left else least(v_left, v_slots) end, v_left, v_open, v_last, v_credit) p;
        v_left := v_left - cardinality(v_ids);
        if not v_is_ahead then v_slots := v_slots - cardinality(v_ids); end if;
      else
        select p.* into v_at, v_served, v_slots, v_left, v_open, v_last, v_credit, v_least_room, v_is_contended, v_ids, v_begun
        from millrace.pick_lanes_singly(v_lanes, v_next, v_begin, v_shares, v_carried, v_quantum, v_turns, p_worker_id, v_token, p_ahead_ids,
          p_mark_tenants, p_mark_definitions, p_mark_priorities, p_mark_us, p_mark_ids, p_mark_full,
          v_at, v_served, v_slots, v_left, v_open, v_last, v_credit, v_least_room, v_is_contended) p;
        return query select * from unnest(v_begun);
      end if;
      v_carried := 0;
      -- Before the next look at the same lanes: SKIP LOCKED does not skip our own locks.
      if cardinality(v_ids) > 0 then
        return query select * from millrace.begin_runs(v_ids, p_worker_id, v_token, v_at, p_ahead_ids);
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
