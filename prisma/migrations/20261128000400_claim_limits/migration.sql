-- The complete claim: limits on running jobs and on starts per period, tenants in turn by weight whatever the size of a claim,
-- jobs claimed ahead of free slots, and marks that step over the dead entries of a busy lane.
--
-- Limits hold because only who holds the limit's row in limit_gates claims under it, and counts in a statement of its own
-- after it has the row: in READ COMMITTED each statement of a volatile function has a new snapshot, which sees whatever the
-- last holder committed. Counted in one statement with the lock, limits overshoot.
-- Nothing here waits for a lock that somebody else holds, so nothing here can deadlock.

-- The starts of a limit's last period, in slots of a twentieth of it: 21 slots cover any window of one period, wherever it
-- begins, so that no window ever has more starts than the limit. Slot n is in starts[1 + n % 21].
alter table millrace.limit_gates
  drop column tokens,
  drop column refilled_at,
  add column period_seconds integer,
  add column newest_slot bigint,
  add column starts integer[];

-- Starts that still count at `p_slot`.
create function millrace.starts_in_period(p_starts integer[], p_newest_slot bigint, p_slot bigint)
returns integer language sql immutable parallel safe
return (select coalesce(sum(p_starts[1 + s % 21]), 0)::integer
        from generate_series(greatest(p_slot, p_newest_slot) - 20, p_newest_slot) s);

create function millrace.rate_slot(p_at timestamptz, p_period_seconds integer)
returns bigint language sql stable parallel safe
return floor(date_part('epoch', p_at) * 20 / p_period_seconds)::bigint;

-- How many jobs run, counted up to `p_most`: of a definition, of a tenant (p_definition_id null), or of both together. A lease that
-- has ended still counts while nobody has taken the job back. Index: jobs_running_idx.
create function millrace.running_count(p_tenant_id uuid, p_definition_id uuid, p_most integer)
returns integer language plpgsql volatile as $$
begin
  if p_tenant_id is null then
    return (select count(*) from (
      select from millrace.jobs j where j.definition_id = p_definition_id and j.status = 'running' limit p_most) r);
  elsif p_definition_id is null then
    -- Definition by definition: the index begins with it.
    return (select count(*) from (
      select from millrace.job_definitions d cross join lateral (
        select from millrace.jobs j
        where j.definition_id = d.id and j.tenant_id = p_tenant_id and j.status = 'running' limit p_most) o
      limit p_most) r);
  end if;
  return (select count(*) from (
    select from millrace.jobs j
    where j.definition_id = p_definition_id and j.tenant_id = p_tenant_id and j.status = 'running' limit p_most) r);
end $$;

-- The row of a limit, or null. Index: the unique one.
create function millrace.find_gate(p_scope text, p_tenant_id uuid, p_definition_id uuid)
returns bigint language plpgsql volatile as $$
begin
  case p_scope
    when 'definition' then
      return (select g.id from millrace.limit_gates g
              where g.scope = p_scope and g.tenant_id is null and g.definition_id = p_definition_id);
    when 'tenant' then
      return (select g.id from millrace.limit_gates g
              where g.scope = p_scope and g.tenant_id = p_tenant_id and g.definition_id is null);
    else
      return (select g.id from millrace.limit_gates g
              where g.scope = p_scope and g.tenant_id = p_tenant_id and g.definition_id = p_definition_id);
  end case;
end $$;

-- A look without a lock, to pass over what is at its limit for the price of a look. It may be wrong by the time it is read.
create function millrace.has_room(
  p_scope text, p_tenant_id uuid, p_definition_id uuid, p_max integer, p_rate integer, p_period_seconds integer
) returns boolean language plpgsql volatile as $$
begin
  return (p_max is null or millrace.running_count(p_tenant_id, p_definition_id, p_max) < p_max)
     and (p_rate is null or coalesce((
            select millrace.starts_in_period(g.starts, g.newest_slot, millrace.rate_slot(clock_timestamp(), p_period_seconds)) < p_rate
            from millrace.limit_gates g
            where g.id = millrace.find_gate(p_scope, p_tenant_id, p_definition_id) and g.period_seconds = p_period_seconds), true));
end $$;

-- Takes the limit's row and says how many may start now; null when somebody else has it this moment. The row stays taken until
-- the transaction ends. Locks: it, FOR NO KEY UPDATE SKIP LOCKED.
create function millrace.enter_gate(
  p_scope text, p_tenant_id uuid, p_definition_id uuid, p_max integer, p_rate integer, p_period_seconds integer
) returns integer language plpgsql volatile as $$
declare
  v_id   bigint := millrace.find_gate(p_scope, p_tenant_id, p_definition_id);
  v_gate millrace.limit_gates;
  v_room integer;
begin
  if v_id is null then
    -- One at a time: two that insert the same rows in different orders would wait for each other.
    if not pg_try_advisory_xact_lock(hashtextextended('millrace.limit_gates', 0)) then
      return null;
    end if;
    insert into millrace.limit_gates (scope, tenant_id, definition_id) values (p_scope, p_tenant_id, p_definition_id)
    on conflict do nothing;
    v_id := millrace.find_gate(p_scope, p_tenant_id, p_definition_id);
  end if;
  select g.* into v_gate from millrace.limit_gates g where g.id = v_id for no key update skip locked;
  if not found then
    return null;
  end if;
  -- Only now, in a statement after the lock: this is what makes the limit hold.
  if p_max is not null then
    v_room := p_max - millrace.running_count(p_tenant_id, p_definition_id, p_max);
  end if;
  if p_rate is not null then
    v_room := least(v_room, p_rate - case
      when v_gate.period_seconds = p_period_seconds
      then millrace.starts_in_period(v_gate.starts, v_gate.newest_slot, millrace.rate_slot(clock_timestamp(), p_period_seconds))
      -- Another period than before, or the first start ever.
      else 0 end);
  end if;
  return v_room;
end $$;

-- Notes starts under a rate. Only for who holds the row.
create function millrace.note_starts(
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

-- A lane that the walk has found: it has a ready job, or a mark, and room under its limits as far as could be seen.
create type millrace.claim_lane as (
  tenant_id uuid, definition_id uuid, weight integer, is_limited boolean, is_marked boolean,
  definition_max integer, definition_rate integer, definition_period integer,
  tenant_max integer, tenant_rate integer, tenant_period integer,
  lane_max integer, lane_rate integer, lane_period integer
);

-- What a claim answers: a row for each job with what a worker needs of it, and one without a job (id null) that says where the
-- next claim goes on. Times are microseconds since 1970: parsing text costs the worker more than the job does.
create type millrace.claimed_job as (
  id uuid, tenant_id uuid, definition_id uuid, source text, source_ref text, priority integer, payload jsonb, dedupe_key text,
  correlation_id text, subject_type text, subject_id text, requested_us bigint, scheduled_us bigint, queued_us bigint,
  claimed_us bigint, is_started boolean, attempt_count integer, max_attempts integer, run_no integer, lost_lease_count integer,
  snooze_count integer, expires_us bigint, timeout_seconds integer, lease_expires_us bigint, cancel_requested_us bigint,
  last_error jsonb, reason text, created_by text, version bigint,
  lease_token uuid, cursor_tenant_id uuid, cursor_definition_id uuid, cursor_credit integer, is_contended boolean
);

-- Stable as date_part is: an immutable one would not be inlined, and calls cost more than the claim of the row.
create function millrace.epoch_us(p_at timestamptz) returns bigint language sql stable parallel safe
return round(date_part('epoch', p_at) * 1000000)::bigint;

drop function millrace.claim_jobs(text, uuid[], integer, uuid, uuid, integer);

-- The next lanes from a place on, in order, at most `p_most`: those that can be served, are not paused, have a ready job and room
-- under their limits as far as a look without locks can say. Locks nothing. Index: jobs_ready_idx.
create function millrace.find_lanes(
  p_seek_tenant uuid, p_seek_definition uuid, p_end_tenant uuid, p_end_definition uuid,
  p_served uuid[], p_ahead_ids uuid[], p_only_ahead boolean, p_most integer,
  p_mark_tenants uuid[], p_mark_definitions uuid[]
) returns millrace.claim_lane[] language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
declare
  c_last  constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  v_at    constant timestamptz := clock_timestamp();
  v_found millrace.claim_lane[];
begin
  with recursive lane (tenant_id, definition_id, next_definition_id) as (
    select p_seek_tenant, null::uuid, p_seek_definition
    union all
    select n.tenant_id, n.definition_id,
           -- Leaps over what is not served: to the next definition that is, or past this tenant.
           coalesce((select s from unnest(p_served) s where s > n.definition_id order by s limit 1), c_last)
    from lane l
    -- A lane with a mark is taken for there, not looked for: its first entries may be thousands of dead ones.
    left join lateral (
      select k.tenant_id, k.definition_id from unnest(p_mark_tenants, p_mark_definitions) k (tenant_id, definition_id)
      where (k.tenant_id, k.definition_id) >= (l.tenant_id, l.next_definition_id)
        and (k.tenant_id, k.definition_id) < (p_end_tenant, p_end_definition)
      order by 1, 2 limit 1
    ) k on true
    left join lateral (
      select j.tenant_id, j.definition_id from millrace.jobs j
      where j.status = 'queued' and j.pending_dependencies = 0
        and (j.tenant_id, j.definition_id) >= (l.tenant_id, l.next_definition_id)
        and (j.tenant_id, j.definition_id) < (coalesce(k.tenant_id, p_end_tenant), coalesce(k.definition_id, p_end_definition))
      order by j.tenant_id, j.definition_id limit 1
    ) p on true
    cross join lateral (
      select coalesce(p.tenant_id, k.tenant_id) as tenant_id, coalesce(p.definition_id, k.definition_id) as definition_id
    ) n
    where n.tenant_id is not null
  )
  select array_agg(f.lane order by f.tenant_id, f.definition_id) into v_found
  from (
    select l.tenant_id, l.definition_id,
           row(l.tenant_id, l.definition_id, t.weight, x.is_limited, x.is_marked,
               d.max_running, d.rate_limit_count, d.rate_limit_period_seconds,
               t.max_running, t.rate_limit_count, t.rate_limit_period_seconds,
               o.max_running, o.rate_limit_count, o.rate_limit_period_seconds)::millrace.claim_lane as lane
    from lane l
    cross join lateral (
      select t.weight, t.max_running, t.rate_limit_count, t.rate_limit_period_seconds from millrace.tenants t
      where t.id = l.tenant_id and t.paused_at is null and t.deleted_at is null limit 1
    ) t
    cross join lateral (
      select d.max_running, d.rate_limit_count, d.rate_limit_period_seconds, d.max_running_per_tenant,
             d.rate_limit_per_tenant_count, d.rate_limit_per_tenant_period_seconds
      from millrace.job_definitions d where d.id = l.definition_id limit 1
    ) d
    left join lateral (
      select q.max_running, q.rate_limit_count, q.rate_limit_period_seconds from millrace.lane_limits q
      where q.tenant_id = l.tenant_id and q.definition_id = l.definition_id limit 1
    ) q on true
    cross join lateral (
      select coalesce(q.max_running, d.max_running_per_tenant) as max_running,
             coalesce(q.rate_limit_count, d.rate_limit_per_tenant_count) as rate_limit_count,
             coalesce(q.rate_limit_period_seconds, d.rate_limit_per_tenant_period_seconds) as rate_limit_period_seconds
    ) o
    cross join lateral (
      select num_nonnulls(d.max_running, d.rate_limit_count, t.max_running, t.rate_limit_count, o.max_running, o.rate_limit_count) > 0
               as is_limited,
             exists (select from unnest(p_mark_tenants, p_mark_definitions) k (tenant_id, definition_id)
                     where k.tenant_id = l.tenant_id and k.definition_id = l.definition_id) as is_marked
    ) x
    where l.definition_id = any (p_served)
      and (not p_only_ahead or (not x.is_limited and l.definition_id = any (p_ahead_ids)))
      -- Not EXISTS, which the planner may answer by reading every waiting job of all lanes into a hash table first.
      and (x.is_marked or (
        select true from millrace.jobs j
        where j.tenant_id = l.tenant_id and j.definition_id = l.definition_id
          and j.status = 'queued' and j.pending_dependencies = 0 and j.scheduled_for <= v_at limit 1))
      -- Looks as has_room does. The counts stand here and not in a call: a thousand calls cost more than a thousand counts.
      and (t.max_running is null or t.max_running > (select count(*) from (
        select from millrace.job_definitions i cross join lateral (
          select from millrace.jobs j
          where j.definition_id = i.id and j.tenant_id = l.tenant_id and j.status = 'running' limit t.max_running) r
        limit t.max_running) r))
      and (o.max_running is null or o.max_running > (select count(*) from (
        select from millrace.jobs j
        where j.definition_id = l.definition_id and j.tenant_id = l.tenant_id and j.status = 'running' limit o.max_running) r))
      and (t.rate_limit_count is null
           or millrace.has_room('tenant', l.tenant_id, null, null, t.rate_limit_count, t.rate_limit_period_seconds))
      and (o.rate_limit_count is null
           or millrace.has_room('lane', l.tenant_id, l.definition_id, null, o.rate_limit_count, o.rate_limit_period_seconds))
    limit p_most
  ) f;
  return coalesce(v_found, '{}');
end $$;

-- Hands out the leases of jobs that the transaction has locked. Index: jobs_pkey.
create function millrace.begin_runs(p_ids uuid[], p_worker_id text, p_token uuid, p_at timestamptz, p_ahead_ids uuid[])
returns setof millrace.claimed_job language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
begin
  return query
  update millrace.jobs as j
  set status = 'running',
      run_no = j.run_no + 1,
      lease_token = p_token,
      lease_expires_at = clock_timestamp() + make_interval(secs => d.lease_seconds),
      claimed_by_worker = p_worker_id,
      claimed_at = p_at,
      -- Those claimed ahead start later; their settlement says when.
      started_at = case when d.id = any (p_ahead_ids) then null else p_at end,
      version = j.version + 1,
      changed_xid = pg_current_xact_id()
  from millrace.job_definitions d
  where j.id = any (p_ids) and d.id = j.definition_id
  returning j.id, j.tenant_id, j.definition_id, j.source, j.source_ref, j.priority, j.payload, j.dedupe_key,
    j.correlation_id, j.subject_type, j.subject_id, millrace.epoch_us(j.requested_for), millrace.epoch_us(j.scheduled_for),
    millrace.epoch_us(j.queued_at), millrace.epoch_us(p_at), j.started_at is not null, j.attempt_count, j.max_attempts,
    j.run_no, j.lost_lease_count, j.snooze_count, millrace.epoch_us(j.expires_at), j.timeout_seconds,
    millrace.epoch_us(j.lease_expires_at), millrace.epoch_us(j.cancel_requested_at), j.last_error, j.reason, j.created_by,
    j.version, null::uuid, null::uuid, null::uuid, null::integer, null::boolean;
end $$;

-- The claim. The unit is the lane (tenant, definition): it walks the lanes that the worker can serve from where its last claim
-- stopped, gives each so many jobs a turn as its tenant's weight says (a deficit round robin: what a lane has left of its turn
-- when the claim is full is the credit that it begins the next claim with), and hands out leases.
-- Locks: each candidate row FOR NO KEY UPDATE SKIP LOCKED, the gates of limited lanes likewise. Index: jobs_ready_idx.
create function millrace.claim_jobs(
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
  p_mark_full        boolean[]
)
returns setof millrace.claimed_job
-- Generic plans: the statements are index probes whatever the values, and planning them anew took longer than running them.
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
declare
  c_first constant uuid := '00000000-0000-0000-0000-000000000000';
  c_last  constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  c_max_priority constant integer := 1000000;
  v_at        timestamptz := clock_timestamp();
  v_token     constant uuid := gen_random_uuid();
  v_ahead_ids constant uuid[] := case when p_ahead > 0 then coalesce(p_ahead_ids, '{}') else '{}' end;
  v_slots     integer := least(greatest(p_limit, 0), 500);      -- left for lanes that are not claimed ahead
  v_left      integer;                                          -- left in all
  v_quantum   integer;                                          -- jobs a turn for a weight of 1
  v_served    uuid[];
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
  v_lows      integer[];                                        -- stretches of priorities to look through …
  v_highs     integer[];
  v_marks     integer[];                                        -- … from the beginning (0) or from a mark
  v_pick      uuid[];                                           -- of this lane
  v_some      uuid[];
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
  v_low       integer;
  v_is_full   boolean;
  v_is_first  boolean;
  v_count     integer;
  v_is_contended boolean := false;
  v_answer    millrace.claimed_job;
  n           integer;
  i           integer;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'millrace.claim_jobs was called in a % transaction, allowed: read committed',
      current_setting('transaction_isolation') using errcode = 'invalid_transaction_state';
  end if;
  v_left := v_slots + case when cardinality(v_ahead_ids) > 0 then least(p_ahead, 500 - v_slots) else 0 end;
  if v_left <= 0 then
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
    v_found := millrace.find_lanes(v_seek_t, v_seek_d, v_end_t, v_end_d, v_served, v_ahead_ids, v_slots = 0, v_wanted,
                                   p_mark_tenants, p_mark_definitions);
    if cardinality(v_found) < v_wanted and not v_wrapped then
      v_wrapped := true;
      v_end_t := v_from_t; v_end_d := v_from_d;
      v_found := v_found || millrace.find_lanes(c_first, c_first, v_end_t, v_end_d, v_served, v_ahead_ids, v_slots = 0,
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
        v_is_ahead := not v_lane.is_limited and v_lane.definition_id = any (v_ahead_ids);
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
          v_lows := '{0}'; v_highs := array[c_max_priority]; v_marks := '{0}';
          if v_lane.is_marked then
            v_lows := '{}'; v_highs := '{}'; v_marks := '{}'; v_low := 0;
            for m in 1..cardinality(p_mark_tenants) loop
              continue when p_mark_tenants[m] <> v_lane.tenant_id or p_mark_definitions[m] <> v_lane.definition_id;
              v_lows := v_lows || v_low || p_mark_priorities[m];
              v_highs := v_highs || (p_mark_priorities[m] - 1) || p_mark_priorities[m];
              v_marks := v_marks || 0 || m;
              v_low := p_mark_priorities[m] + 1;
              v_is_full := p_mark_full[m];
            end loop;
            v_lows := v_lows || v_low; v_highs := v_highs || c_max_priority; v_marks := v_marks || 0;
            if v_is_full then
              v_lows := v_lows || 0; v_highs := v_highs || c_max_priority; v_marks := v_marks || 0;
            end if;
          end if;
          for k in 1..cardinality(v_marks) loop
            continue when v_lows[k] > v_highs[k];
            exit when cardinality(v_pick) = v_share;
            v_is_first := cardinality(v_pick) = 0;
            if v_marks[k] = 0 then
              select coalesce(array_agg(p.id), '{}') into v_some
              from (
                select j.id from millrace.jobs j
                where j.tenant_id = v_lane.tenant_id and j.definition_id = v_lane.definition_id
                  and j.status = 'queued' and j.pending_dependencies = 0
                  and j.priority between v_lows[k] and v_highs[k] and j.scheduled_for <= v_at
                  -- SKIP LOCKED does not skip our own locks: the look through all must not pick the marked look's rows again.
                  -- (The array is unpacked for every row.)
                  and (v_is_first or j.id <> all (v_pick))
                order by j.priority, j.scheduled_for, j.id
                limit v_share - cardinality(v_pick)
                for no key update skip locked
              ) p;
            else
              select coalesce(array_agg(p.id), '{}') into v_some
              from (
                select j.id from millrace.jobs j
                where j.tenant_id = v_lane.tenant_id and j.definition_id = v_lane.definition_id
                  and j.status = 'queued' and j.pending_dependencies = 0
                  and j.priority = v_lows[k] and j.scheduled_for <= v_at
                  and (j.scheduled_for, j.id) > (timestamptz 'epoch' + p_mark_us[v_marks[k]] * interval '1 microsecond',
                                                 p_mark_ids[v_marks[k]])
                order by j.scheduled_for, j.id
                limit v_share - cardinality(v_pick)
                for no key update skip locked
              ) p;
            end if;
            v_pick := v_pick || v_some;
          end loop;
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
          return query select * from millrace.begin_runs(v_ids, p_worker_id, v_token, v_at, v_ahead_ids);
          v_ids := '{}';
        end if;
        exit when v_left = 0;
      end loop;
      v_carried := 0;
      -- Before the next look at the same lanes: SKIP LOCKED does not skip our own locks.
      if cardinality(v_ids) > 0 then
        return query select * from millrace.begin_runs(v_ids, p_worker_id, v_token, v_at, v_ahead_ids);
        v_ids := '{}';
      end if;
      exit when not v_is_round or v_left = 0 or not true = any (v_open);
    end loop;
  end loop;

  v_answer.lease_token := v_token;
  if v_last > 0 then
    v_lane := v_lanes[v_last];
    v_answer.cursor_tenant_id := v_lane.tenant_id;
    v_answer.cursor_definition_id := v_lane.definition_id;
    v_answer.cursor_credit := v_credit;
  else
    v_answer.cursor_tenant_id := p_after_tenant;
    v_answer.cursor_definition_id := p_after_definition;
    v_answer.cursor_credit := p_credit;
  end if;
  v_answer.is_contended := v_is_contended;
  return next v_answer;
end $$;

-- What jobs wait for -----------------------------------------------------------------------------------------------

-- When a rate lets the next start through; the past when it does now.
create function millrace.rate_free_at(
  p_scope text, p_tenant_id uuid, p_definition_id uuid, p_rate integer, p_period_seconds integer
) returns timestamptz language plpgsql volatile as $$
declare
  v_gate millrace.limit_gates;
  v_slot bigint := millrace.rate_slot(clock_timestamp(), p_period_seconds);
begin
  select g.* into v_gate from millrace.limit_gates g where g.id = millrace.find_gate(p_scope, p_tenant_id, p_definition_id);
  if p_rate is null or v_gate.period_seconds is distinct from p_period_seconds then
    return '-infinity';
  end if;
  v_slot := greatest(v_slot, v_gate.newest_slot);
  return (select case when s.slot = v_slot then '-infinity'::timestamptz else to_timestamp(s.slot * p_period_seconds / 20.0) end
          from generate_series(v_slot, v_slot + 21) s (slot)
          where millrace.starts_in_period(v_gate.starts, v_gate.newest_slot, s.slot) < p_rate
          order by s.slot limit 1);
end $$;

-- What each queued job among these waits for, of the tenant that the transaction names. Reads what the API may not: workers, and how
-- full a limit is that tenants share; of that it says no more than that the limit is reached.
-- `allowed` and `period_seconds`: of the limit or rate in the way. Indexes: jobs_pkey, jobs_running_idx.
create function millrace.waiting_for(p_job_ids uuid[])
returns table (job_id uuid, reason text, scope text, allowed integer, period_seconds integer, until timestamptz)
language sql volatile security definer set search_path = '' as $$
  with job as materialized (
    select j.* from millrace.jobs j
    where j.id = any (p_job_ids) and j.tenant_id = millrace.current_tenant_id() and j.status = 'queued'
  ), lane as materialized (
    select d.id as definition_id, d.paused_at as definition_paused_at,
           coalesce(t.paused_at, t.deleted_at) as tenant_paused_at,
           exists (select from millrace.job_workers w
                   where w.last_seen_at > clock_timestamp() - interval '30 seconds' and w.stopping_at is null
                     and d.key = any (w.definition_keys)) as is_served,
           b.scope, b.allowed, b.period_seconds, b.until
    from (select distinct definition_id from job) l
    join millrace.job_definitions d on d.id = l.definition_id
    join millrace.tenants t on t.id = millrace.current_tenant_id()
    left join millrace.lane_limits q on q.tenant_id = t.id and q.definition_id = d.id
    left join lateral (
      -- The first limit in the way: one that is reached before a rate that is used up.
      select x.scope, x.allowed, x.period_seconds, x.until
      from (
        select 1 as rank, 'definition' as scope, d.max_running as allowed, null::integer as period_seconds, null::timestamptz as until
        where d.max_running is not null and millrace.running_count(null, d.id, d.max_running) >= d.max_running
        union all
        select 2, 'tenant', t.max_running, null, null
        where t.max_running is not null and millrace.running_count(t.id, null, t.max_running) >= t.max_running
        union all
        select 3, 'lane', m.max_running, null, null
        from (select coalesce(q.max_running, d.max_running_per_tenant) as max_running) m
        where m.max_running is not null and millrace.running_count(t.id, d.id, m.max_running) >= m.max_running
        union all
        select 4, r.scope, r.rate, r.period_seconds, f.until
        from (values
          ('definition', null, d.id, d.rate_limit_count, d.rate_limit_period_seconds),
          ('tenant', t.id, null, t.rate_limit_count, t.rate_limit_period_seconds),
          ('lane', t.id, d.id, coalesce(q.rate_limit_count, d.rate_limit_per_tenant_count),
           coalesce(q.rate_limit_period_seconds, d.rate_limit_per_tenant_period_seconds))
        ) r (scope, tenant_id, definition_id, rate, period_seconds)
        cross join lateral (
          select case when r.rate is null then '-infinity'
                      else millrace.rate_free_at(r.scope, r.tenant_id, r.definition_id, r.rate, r.period_seconds) end as until
        ) f
        where f.until > clock_timestamp()
      ) x
      order by x.rank, x.until desc limit 1
    ) b on true
  )
  select j.id, v.reason,
         case v.reason when 'paused' then case when l.definition_paused_at is not null then 'definition' else 'tenant' end
                       when 'limit' then l.scope when 'rate' then l.scope end,
         case v.reason when 'dependency' then j.pending_dependencies when 'limit' then l.allowed when 'rate' then l.allowed end,
         case v.reason when 'rate' then l.period_seconds end,
         case v.reason when 'time' then j.scheduled_for when 'rate' then l.until end
  from job j
  join lane l on l.definition_id = j.definition_id
  cross join lateral (
    select case
      when j.cancel_requested_at is not null then 'doomed'
      when j.expires_at <= clock_timestamp() then 'expired'
      when j.pending_dependencies > 0 then 'dependency'
      when l.definition_paused_at is not null or l.tenant_paused_at is not null then 'paused'
      when j.scheduled_for > clock_timestamp() then 'time'
      when not l.is_served then 'no_worker'
      when l.scope is not null and l.period_seconds is null then 'limit'
      when l.scope is not null then 'rate'
      else 'turn' end as reason
  ) v
$$;

do $$
declare
  v_prefix text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace');
begin
  -- Owned by the worker role, as find_api_key is: the tables' owner sees no row.
  execute format('grant create on schema millrace to %I', v_prefix || '_worker');
  execute format('alter function millrace.waiting_for(uuid[]) owner to %I', v_prefix || '_worker');
  execute format('revoke create on schema millrace from %I', v_prefix || '_worker');
  revoke all on function millrace.waiting_for(uuid[]) from public;
  execute format('grant execute on function millrace.waiting_for(uuid[]) to %I, %I', v_prefix || '_api', v_prefix || '_admin');
end $$;
