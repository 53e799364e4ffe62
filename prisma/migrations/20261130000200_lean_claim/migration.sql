-- The same claim, settlement and guard with less work around each job: what a worker gets of a job is a third of the columns, a
-- claim that finds one lane takes a short way, an obviously legal move is known as such by a short test, and a column that is the
-- same for all runs of a settlement is sent once.
-- Not beside workers of the version before: their claims are refused from here on, until they are restarted.

-- Legal moves -------------------------------------------------------------------------------------------------------
-- The rule is as it was. Its text was read anew by every statement that updates jobs, a tenth of a claim of one job; now the
-- trigger's own test knows the moves of every day, and the whole rule is looked at for the rest.

create function millrace.check_job_move() returns trigger language plpgsql as $$
begin
  if (old.status <> new.status and not (
        (old.status = 'queued' and new.status in ('running', 'canceled'))
     or (old.status = 'running' and new.status in ('succeeded', 'failed', 'dead_letter', 'canceled', 'queued'))
     or (old.status in ('failed', 'dead_letter', 'canceled') and new.status = 'queued')))
  -- Each claim is a new run; nothing else makes one, and none is given back.
  or new.run_no <> old.run_no + (case when old.status = 'queued' and new.status = 'running' then 1 else 0 end)
  or new.tenant_id <> old.tenant_id
  or new.id <> old.id
  or (old.status = 'succeeded' and (
        new.result is distinct from old.result
     or new.finished_at is distinct from old.finished_at
     or new.started_at is distinct from old.started_at
     or new.claimed_at is distinct from old.claimed_at
     or new.queued_at is distinct from old.queued_at
     or new.claimed_by_worker is distinct from old.claimed_by_worker
     or new.reason is distinct from old.reason
     or new.definition_id <> old.definition_id
     or new.lost_lease_count <> old.lost_lease_count
     or new.snooze_count <> old.snooze_count
     or new.attempt_count <> old.attempt_count))
  then
    raise exception 'job %: % (run %) -> % (run %) is not a legal move', old.id, old.status, old.run_no, new.status, new.run_no
      using errcode = 'check_violation', schema = 'millrace', table = 'jobs', constraint = 'jobs_legal_move';
  end if;
  return new;
end $$;

drop trigger jobs_legal_move on millrace.jobs;
create trigger jobs_legal_move before update on millrace.jobs for each row
when (not (
  new.id = old.id and new.tenant_id = old.tenant_id and (
       (old.status = 'queued' and new.status = 'running' and new.run_no = old.run_no + 1)
    or (old.status = 'running' and new.run_no = old.run_no))
))
execute function millrace.check_job_move();
drop function millrace.refuse_job_move();

-- The claim ---------------------------------------------------------------------------------------------------------

drop function millrace.claim_jobs(text, uuid[], integer, integer, uuid[], uuid, uuid, integer, integer,
                                  uuid[], uuid[], integer[], bigint[], uuid[], boolean[]);
drop function millrace.begin_runs(uuid[], text, uuid, timestamptz, uuid[]);
drop type millrace.claimed_job;

-- What a claim answers: a row for each job with what a worker needs of it, and a last one without a job (id null) whose payload says
-- what is the same for all and where the next claim goes on. `rare`: what most jobs have not, null where there is none of it. Times
-- are microseconds since 1970: parsing text costs the worker more than the job does.
create type millrace.claimed_job as (
  id uuid, tenant_id uuid, definition_id uuid, payload jsonb, priority integer, scheduled_us bigint, queued_us bigint,
  is_started boolean, run_no integer, max_attempts integer, version bigint, created_by text, rare jsonb
);

create function millrace.end_of_claim(
  p_token uuid, p_at timestamptz, p_tenant_id uuid, p_definition_id uuid, p_credit integer, p_is_alone boolean, p_is_contended boolean
) returns millrace.claimed_job language sql stable parallel safe
return row(null, null, null,
           jsonb_build_object('token', p_token, 'claimedUs', millrace.epoch_us(p_at), 'tenantId', p_tenant_id,
                              'definitionId', p_definition_id, 'credit', p_credit, 'isAlone', p_is_alone,
                              'isContended', p_is_contended),
           null, null, null, null, null, null, null, null, null)::millrace.claimed_job;

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
  returning j.id, j.tenant_id, j.definition_id, j.payload, j.priority, millrace.epoch_us(j.scheduled_for),
    millrace.epoch_us(j.queued_at), j.started_at is not null, j.run_no, j.max_attempts, j.version, j.created_by,
    case when j.source <> 'manual' or j.attempt_count + j.lost_lease_count + j.snooze_count > 0
           or num_nonnulls(j.source_ref, j.dedupe_key, j.correlation_id, j.subject_type, j.requested_for, j.expires_at,
                           j.timeout_seconds, j.cancel_requested_at, j.last_error, j.reason) > 0
         then jsonb_strip_nulls(jsonb_build_object(
           'source', j.source, 'sourceRef', j.source_ref, 'dedupeKey', j.dedupe_key, 'correlationId', j.correlation_id,
           'subjectType', j.subject_type, 'subjectId', j.subject_id, 'requestedUs', millrace.epoch_us(j.requested_for),
           'attemptCount', j.attempt_count, 'lostLeaseCount', j.lost_lease_count, 'snoozeCount', j.snooze_count,
           'expiresUs', millrace.epoch_us(j.expires_at), 'timeoutSeconds', j.timeout_seconds,
           'cancelRequestedUs', millrace.epoch_us(j.cancel_requested_at), 'reason', j.reason))
           || jsonb_build_object('lastError', j.last_error)
    end;
end $$;

-- The walk over the lanes, for who has `p_slots` free slots and wants `p_wanted` jobs in all: gives each lane so many jobs a turn as
-- its tenant's weight says (a deficit round robin: what a lane has left of its turn when the claim is full is the credit that it
-- begins the next claim with), and hands out leases.
-- Locks: each candidate row FOR NO KEY UPDATE SKIP LOCKED, the gates of limited lanes likewise. Index: jobs_ready_idx.
create function millrace.claim_lanes(
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
  c_max_priority constant integer := 1000000;
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
          return query select * from millrace.begin_runs(v_ids, p_worker_id, v_token, v_at, p_ahead_ids);
          v_ids := '{}';
        end if;
        exit when v_left = 0;
      end loop;
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
-- is needs no reckoning: that short way is half the time of a claim of one job, which is made of how many expressions a function
-- has, since each is prepared anew in each transaction. Otherwise the lanes are walked (claim_lanes) from where the last claim stopped.
-- Locks and indexes as claim_lanes.
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

  if p_is_alone and coalesce(cardinality(p_mark_tenants), 0) = 0 then
    v_lanes := millrace.find_lanes(
      '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff', 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      v_served, v_ahead_ids, v_slots = 0, 2, '{}', '{}');
    v_lane := v_lanes[1];
    if cardinality(v_lanes) = 0 or (cardinality(v_lanes) = 1 and not v_lane.is_limited) then
      select clock_timestamp(), gen_random_uuid() into v_at, v_token;
      if v_lane.tenant_id is null then
        return next millrace.end_of_claim(v_token, v_at, p_after_tenant, p_after_definition, p_credit, true, false);
        return;
      end if;
      v_most := case when v_lane.definition_id = any (v_ahead_ids) then v_wanted else least(v_wanted, v_slots) end;
      select array_agg(p.id) into v_ids
      from (
        select j.id from millrace.jobs j
        where j.tenant_id = v_lane.tenant_id and j.definition_id = v_lane.definition_id
          and j.status = 'queued' and j.pending_dependencies = 0 and j.scheduled_for <= v_at
        order by j.priority, j.scheduled_for, j.id
        limit v_most
        for no key update skip locked
      ) p;
      if v_ids is not null then
        return query select * from millrace.begin_runs(v_ids, p_worker_id, v_token, v_at, v_ahead_ids);
      end if;
      -- What is left of its turn stays its own, as in the walk: other lanes may have jobs by the next claim.
      v_turn := v_lane.weight * ceil(v_wanted::numeric / p_max_lanes)::integer;
      v_rest := case when p_after_tenant = v_lane.tenant_id and p_after_definition = v_lane.definition_id then p_credit else 0 end;
      v_rest := case
        when v_ids is null or cardinality(v_ids) < v_most then 0
        when v_most <= v_rest then v_rest - v_most
        when (v_most - v_rest) % v_turn = 0 then 0
        else v_turn - (v_most - v_rest) % v_turn end;
      return next millrace.end_of_claim(v_token, v_at, v_lane.tenant_id, v_lane.definition_id, v_rest, true, false);
      return;
    end if;
  end if;
  return query select * from millrace.claim_lanes(
    p_worker_id, v_served, v_slots, v_wanted, v_ahead_ids, p_after_tenant, p_after_definition, p_credit, p_max_lanes,
    p_mark_tenants, p_mark_definitions, p_mark_priorities, p_mark_us, p_mark_ids, p_mark_full);
end $$;

-- The settlement ----------------------------------------------------------------------------------------------------
-- As it was, but for columns of one value.

create or replace function millrace.settle_jobs(
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
-- The runs that were moved; one that is missing was not the caller's any more, or was to go back to the queue although its
-- cancel was requested. `released`, the same on every row: null, `ready` when jobs may run now (that waited for these, or for
-- room under a limit), `doomed` when some are to be ended.
returns table (job_id uuid, released text)
-- Generic plans: every statement is a probe of the primary key whatever the values, and planning took longer than running.
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
declare
  v_now      timestamptz := clock_timestamp();
  v_moved    uuid[];
  v_final    uuid[];
  v_tenants  uuid[];
  v_definitions uuid[];
  v_released text;
begin
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
  ), locked as materialized (
    -- Carries the input along: joining it again after the lock is planned as a nested loop over 500 x 500 rows.
    -- No `status = 'running'` here: the planner would take the index of running rows and wade through its dead entries,
    -- four times slower. The token is the guard.
    select i.* from input i join millrace.jobs j on j.id = i.id
    where j.run_no = i.run_no and j.lease_token = i.token
      and not (i.status = 'queued' and j.cancel_requested_at is not null)
    order by j.id
    for no key update of j
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
    from locked i
    where j.id = i.id
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
  return query select m.id, v_released from unnest(v_moved) as m (id);
end $$;
