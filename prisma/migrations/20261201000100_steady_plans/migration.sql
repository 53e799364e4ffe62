-- A claim reads all lanes of a turn in one statement, and one that knows only one lane asks less before it reads it. A settlement
-- finds its rows by their ids whatever the statistics of the table say: an ANALYZE that ran while a large INSERT was still open
-- counts no row, and until the next one its plans read the whole table for each batch, a hundred times slower [seen].

-- Marks ---------------------------------------------------------------------------------------------------------------

-- The first ready jobs of a lane that has marks: what lies before a mark is gone, as far as this worker saw. Where that gives less
-- than asked and `p_mark_full` says so, the lane is looked through from its beginning too.
-- Locks: the rows FOR NO KEY UPDATE SKIP LOCKED. Index: jobs_ready_idx, once for each stretch between marks.
create function millrace.pick_after_marks(
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
          and j.status = 'queued' and j.pending_dependencies = 0 and j.scheduled_for <= p_at
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
        and j.status = 'queued' and j.pending_dependencies = 0 and j.scheduled_for <= p_at
        -- SKIP LOCKED does not skip our own locks. (The array is unpacked for every row.)
        and (cardinality(v_picked) = 0 or j.id <> all (v_picked))
      order by j.priority, j.scheduled_for, j.id
      limit p_most - cardinality(v_picked)
      for no key update skip locked
    ) p;
  end if;
  return v_picked;
end $$;

-- The claim -----------------------------------------------------------------------------------------------------------

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
              and j.status = 'queued' and j.pending_dependencies = 0 and j.scheduled_for <= v_at
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
                  and j.status = 'queued' and j.pending_dependencies = 0 and j.scheduled_for <= v_at
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

-- The claim. The unit is the lane (tenant, definition). Where one lane is all there is to serve, and nothing limits it, whose turn it
-- is needs no reckoning: that short way is less than half the time of a claim of one job, which is made of how many expressions a
-- function has, since each is prepared anew in each transaction. Otherwise the lanes are walked (claim_lanes) from where the last claim stopped.
-- Locks and indexes as claim_lanes.
create or replace function millrace.claim_jobs(
  p_worker_id        text,
  p_definition_ids   uuid[],
  -- Free slots: at most so many of lanes that are not claimed ahead …
  p_limit            integer,
  -- … and so many more of these definitions, where nothing limits them.
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
  -- The worker's last claim found one lane at most: the short way is worth a look. Without a default, so that the call of a worker
  -- which does not know the columns of the answer finds no function.
  p_is_alone         boolean
)
returns setof millrace.claimed_job
-- Generic plans: the statements are index probes whatever the values, and planning them anew took longer than running them.
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
declare
  v_at        timestamptz;
  v_token     uuid;
  v_ahead_ids uuid[];
  v_slots     integer;
  v_wanted    integer;
  v_served    uuid[];
  v_lanes     millrace.claim_lane[];
  v_lane      millrace.claim_lane;
  v_tenant    uuid;                                             -- the lone lane
  v_definition uuid;
  v_weight    integer;
  v_is_marked boolean;
  v_ids       uuid[];
  v_most      integer;                                          -- jobs of the lane that may be claimed
  v_turn      integer;                                          -- of the lane, each time anew …
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

  if p_is_alone then
    select clock_timestamp(), gen_random_uuid() into v_at, v_token;
    -- Most often it is still the lane of the last claim. Looked at by itself, since finding the lanes is a third of a claim of one
    -- job: unlimited, not paused, and no entry of the index before or behind it.
    select t.weight, cardinality(p_mark_tenants) > 0 into v_weight, v_is_marked
    from millrace.tenants t
    join millrace.job_definitions d on d.id = p_after_definition
    left join millrace.lane_limits q on q.tenant_id = t.id and q.definition_id = d.id
    where t.id = p_after_tenant and t.paused_at is null and t.deleted_at is null and d.id = any (v_served)
      and num_nonnulls(d.max_running, d.rate_limit_count, d.max_running_per_tenant, d.rate_limit_per_tenant_count,
                       t.max_running, t.rate_limit_count, q.max_running, q.rate_limit_count) = 0
      and p_after_tenant = all (p_mark_tenants) and p_after_definition = all (p_mark_definitions)
      and (select true from millrace.jobs j
           where j.status = 'queued' and j.pending_dependencies = 0
             and (j.tenant_id, j.definition_id) < (p_after_tenant, p_after_definition)
           order by j.tenant_id, j.definition_id limit 1) is null
      and (select true from millrace.jobs j
           where j.status = 'queued' and j.pending_dependencies = 0
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
          and j.status = 'queued' and j.pending_dependencies = 0 and j.scheduled_for <= v_at
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

-- The settlement ------------------------------------------------------------------------------------------------------
-- As it was, but for how it finds its rows: locked first by a statement that reads nothing else, then joined with what is said of them.

create or replace function millrace.settle_runs(
  p_ids              uuid[],
  p_run_nos          integer[],
  p_tokens           uuid[],
  p_statuses         text[],
  p_results          jsonb[],
  p_errors           jsonb[],
  p_reasons          text[],
  p_delay_seconds    float8[],
  p_outcomes         text[],
  p_started_seconds  float8[],       -- of the Unix epoch
  p_wall_ms          integer[],
  p_cpu_ms           integer[]
)
-- One row. `kept`: the jobs that were not moved, null when all were: it was not the caller's run any more, or was to go back to the
-- queue although its cancel was requested. `released`: null, `ready` when jobs may run now (that waited for these, or for room under
-- a limit), `doomed` when some are to be ended.
returns table (kept uuid[], released text)
-- Generic plans: every statement is a probe of the primary key whatever the values, and planning took longer than running. No nested
-- loop: between the input and its rows it is 500 x 500 comparisons.
language plpgsql volatile set plan_cache_mode = force_generic_plan set enable_nestloop = off as $$
declare
  v_now      timestamptz := clock_timestamp();
  v_moved    uuid[];
  v_final    uuid[];
  v_tenants  uuid[];
  v_definitions uuid[];
  v_kept     uuid[];
  v_released text;
begin
  -- In one order, so that two that share rows cannot wait for each other. No `status = 'running'` here or below: the planner would
  -- take the index of running rows and wade through its dead entries, four times slower. The token is the guard.
  perform from millrace.jobs j where j.id = any (p_ids) and j.lease_token = any (p_tokens) order by j.id for no key update;

  with input as materialized (
    -- A column of one value says it of every run: most of a batch ended alike, and reading the same 500 times is a twentieth of it.
    select t.id,
           case when cardinality(p_run_nos)  = 1 then p_run_nos[1]  else t.run_no  end as run_no,
           case when cardinality(p_tokens)   = 1 then p_tokens[1]   else t.token   end as token,
           case when cardinality(p_statuses) = 1 then p_statuses[1] else t.status  end as status,
           case when cardinality(p_results)  = 1 then p_results[1]  else t.result  end as result,
           t.error, t.reason, t.delay_seconds,
           case when cardinality(p_outcomes) = 1 then p_outcomes[1] else t.outcome end as outcome,
           t.started_seconds,
           case when cardinality(p_wall_ms)  = 1 then p_wall_ms[1]  else t.wall_ms end as wall_ms,
           t.cpu_ms
    from unnest(p_ids, p_run_nos, p_tokens, p_statuses, p_results, p_errors, p_reasons, p_delay_seconds, p_outcomes,
                p_started_seconds, p_wall_ms, p_cpu_ms)
      as t (id, run_no, token, status, result, error, reason, delay_seconds, outcome, started_seconds, wall_ms, cpu_ms)
  ), moved as (
    update millrace.jobs j
    set status = i.status,
        result = i.result,
        last_error = case when i.status = 'succeeded' then null else coalesce(i.error, j.last_error) end,
        reason = coalesce(i.reason, case when i.status = 'succeeded' and j.cancel_requested_at is not null
                                         then 'It was done before it could be canceled.' end),
        scheduled_for = case when i.status = 'queued'
                             then greatest(j.scheduled_for, clock_timestamp() + coalesce(i.delay_seconds, 0) * interval '1 second')
                             else j.scheduled_for end,
        attempt_count = j.attempt_count + case when i.outcome in ('failed', 'timeout') then 1 else 0 end,
        snooze_count = j.snooze_count + case when i.outcome = 'snoozed' then 1 else 0 end,
        -- A hand-back is not a settled run, and neither is one that never ran: the count of lost leases stays.
        lost_lease_count = case when i.outcome is null or i.outcome = 'handed_back' then j.lost_lease_count else 0 end,
        -- The worker counts in whole milliseconds.
        started_at = case when i.started_seconds is null then j.started_at
                          else greatest(to_timestamp(i.started_seconds), j.claimed_at) end,
        finished_at = case when i.status = 'queued' then null else clock_timestamp() end,
        lease_token = null,
        lease_expires_at = null,
        version = j.version + 1,
        changed_xid = pg_current_xact_id()
    from input i
    -- By the array as well: it is what the index is asked for, so that the join has 500 rows on either side and no more, also where the
    -- statistics say that the table is empty and reading it whole looks cheapest.
    where j.id = any (p_ids) and j.id = i.id and j.run_no = i.run_no and j.lease_token = i.token
      and not (i.status = 'queued' and j.cancel_requested_at is not null)
    returning j.id, j.tenant_id, j.definition_id, j.status, j.run_no, j.claimed_by_worker, j.claimed_at, j.started_at,
              i.outcome, i.error, i.wall_ms, i.cpu_ms
  ), attempts as (
    -- A snooze spends nothing and a hand-back is none: neither is an attempt.
    insert into millrace.job_attempts
      (job_id, attempt_no, tenant_id, worker_id, status, claimed_at, started_at, finished_at, error, wall_ms, cpu_ms)
    select m.id, m.run_no, m.tenant_id, m.claimed_by_worker, m.outcome, m.claimed_at, m.started_at, v_now, m.error, m.wall_ms, m.cpu_ms
    from moved m where m.outcome not in ('snoozed', 'handed_back')
  ), used as (
    insert into millrace.usage_events (tenant_id, definition_id, job_id, attempt_no, outcome, wall_ms, cpu_ms, created_at)
    select m.tenant_id, m.definition_id, m.id, m.run_no, m.outcome, m.wall_ms, m.cpu_ms, v_now
    from moved m where m.outcome is not null
  )
  select array_agg(m.id), array_agg(m.id) filter (where m.status <> 'queued'),
         array_agg(distinct m.tenant_id), array_agg(distinct m.definition_id)
  into v_moved, v_final, v_tenants, v_definitions from moved m;

  if exists (select from millrace.job_dependencies d where d.depends_on_id = any (v_final)) then
    select case when bool_or(r.action = 'doomed') then 'doomed' when count(*) > 0 then 'ready' end into v_released
    from millrace.release_dependents(v_final) r;
  end if;
  -- A run that ends under a limit makes room for the next: whoever waits for that is to look now, not at its next poll.
  if v_released is null and exists (
    select from millrace.limit_gates g
    where (g.definition_id is null or g.definition_id = any (v_definitions)) and (g.tenant_id is null or g.tenant_id = any (v_tenants))
  ) then
    v_released := 'ready';
  end if;
  if cardinality(v_moved) is distinct from cardinality(p_ids) then
    select array_agg(i) into v_kept from unnest(p_ids) as i where i <> all (coalesce(v_moved, '{}'));
  end if;
  return query select v_kept, v_released;
end $$;

-- It is called from there, and joins a few rows to large tables.
alter function millrace.release_dependents(uuid[]) set enable_nestloop = on;

-- Statistics ----------------------------------------------------------------------------------------------------------
-- All other statements that know rows by their ids rely on them, so whoever leads has them taken anew when they are that wrong.

do $$
declare
  v_worker text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace') || '_worker';
begin
  execute format('grant maintain on millrace.jobs, millrace.job_attempts, millrace.job_dependencies, millrace.job_progress to %I', v_worker);
end $$;
