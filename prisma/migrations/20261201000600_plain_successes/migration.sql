-- Most runs succeed with nothing more to say. Ended by the statement for all kinds of ends, each of them was locked once more, went through
-- a table of twelve columns and was looked at for attempts and usage events that it does not have. They have a statement of their own now,
-- a fifth less work for the server. And a claim looks its definition up once, instead of joining each of its rows with it.

-- What ends let go ----------------------------------------------------------------------------------------------------

-- After runs ended: null, `ready` when jobs may run now (that waited for these, or for room under a limit), `doomed` when some are to be
-- ended. Of the jobs that are over for good, and of all runs the tenants and definitions.
create function millrace.let_go(p_final uuid[], p_tenants uuid[], p_definitions uuid[]) returns text
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
declare
  v_released text;
begin
  if exists (select from millrace.job_dependencies d where d.depends_on_id = any (p_final)) then
    select case when bool_or(r.action = 'doomed') then 'doomed' when count(*) > 0 then 'ready' end into v_released
    from millrace.release_dependents(p_final) r;
  end if;
  -- A run that ends under a limit makes room for the next: whoever waits for that is to look now, not at its next poll.
  if v_released is null and exists (
    select from millrace.limit_gates g
    where (g.definition_id is null or g.definition_id = any (p_definitions)) and (g.tenant_id is null or g.tenant_id = any (p_tenants))
  ) then
    v_released := 'ready';
  end if;
  return v_released;
end $$;

-- Runs that succeeded and have no more to say ----------------------------------------------------------------------------

-- As `settle_runs`, for runs that succeeded as an attempt of theirs and give no reason: each is its own record (see own_records), so
-- there is neither an attempt nor a usage event to store. `p_ids` in ascending order, or two that share rows may wait for each other:
-- the rows are reached by the array or in its order, which is the same. A column of one value says it of every run.
create function millrace.succeed_runs(
  p_ids              uuid[],
  p_run_nos          integer[],
  p_tokens           uuid[],
  p_results          jsonb[],
  p_started_seconds  float8[],       -- of the Unix epoch
  p_wall_ms          integer[],
  p_cpu_ms           integer[]       -- null when none is known
)
returns table (kept uuid[], released text)
language plpgsql volatile set plan_cache_mode = force_generic_plan set enable_nestloop = off as $$
declare
  v_moved    uuid[];
  v_tenants  uuid[];
  v_definitions uuid[];
  v_kept     uuid[];
  v_released text;
begin
  with moved as (
    update millrace.jobs j
    set status = 'succeeded',
        result = case when cardinality(p_results) = 1 then p_results[1] else i.result end,
        last_error = null,
        reason = case when j.cancel_requested_at is not null then 'It was done before it could be canceled.' end,
        lost_lease_count = 0,
        started_at = greatest(to_timestamp(i.started_seconds), j.claimed_at),
        finished_at = clock_timestamp(),
        wall_ms = case when cardinality(p_wall_ms) = 1 then p_wall_ms[1] else i.wall_ms end,
        cpu_ms = i.cpu_ms,
        lease_token = null,
        lease_expires_at = null,
        version = j.version + 1,
        changed_xid = pg_current_xact_id()
    from unnest(p_ids, p_run_nos, p_tokens, p_results, p_started_seconds, p_wall_ms, p_cpu_ms)
      as i (id, run_no, token, result, started_seconds, wall_ms, cpu_ms)
    -- By the array as well, see settle_runs. Of run numbers and tokens none is null, so that a null is one that is said of all.
    where j.id = any (p_ids) and j.id = i.id
      and j.run_no = coalesce(i.run_no, p_run_nos[1]) and j.lease_token = coalesce(i.token, p_tokens[1])
    returning j.id, j.tenant_id, j.definition_id
  )
  select array_agg(m.id), array_agg(distinct m.tenant_id), array_agg(distinct m.definition_id)
  into v_moved, v_tenants, v_definitions from moved m;

  v_released := millrace.let_go(v_moved, v_tenants, v_definitions);
  if cardinality(v_moved) is distinct from cardinality(p_ids) then
    select array_agg(i) into v_kept from unnest(p_ids) as i where i <> all (coalesce(v_moved, '{}'));
  end if;
  return query select v_kept, v_released;
end $$;

-- All other ends ------------------------------------------------------------------------------------------------------
-- As they were, but for what they let go.

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
        -- Its record is this row itself: `job_attempts` and `usage_events` read it from here.
        wall_ms = case when i.status = 'succeeded' and i.outcome = 'succeeded' then i.wall_ms end,
        cpu_ms = case when i.status = 'succeeded' and i.outcome = 'succeeded' then i.cpu_ms end,
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
              i.outcome, i.error, i.wall_ms, i.cpu_ms,
              j.wall_ms is not null as is_own_record
  ), attempts as (
    -- A snooze spends nothing and a hand-back is none: neither is an attempt.
    insert into millrace.stored_attempts
      (job_id, attempt_no, tenant_id, worker_id, status, claimed_at, started_at, finished_at, error, wall_ms, cpu_ms)
    select m.id, m.run_no, m.tenant_id, m.claimed_by_worker, m.outcome, m.claimed_at, m.started_at, v_now, m.error, m.wall_ms, m.cpu_ms
    from moved m where m.outcome not in ('snoozed', 'handed_back') and not m.is_own_record
  ), used as (
    insert into millrace.stored_usage_events (tenant_id, definition_id, job_id, attempt_no, outcome, wall_ms, cpu_ms, created_at)
    select m.tenant_id, m.definition_id, m.id, m.run_no, m.outcome, m.wall_ms, m.cpu_ms, v_now
    from moved m where m.outcome is not null and not m.is_own_record
  )
  select array_agg(m.id), array_agg(m.id) filter (where m.status <> 'queued'),
         array_agg(distinct m.tenant_id), array_agg(distinct m.definition_id)
  into v_moved, v_final, v_tenants, v_definitions from moved m;

  v_released := millrace.let_go(v_final, v_tenants, v_definitions);
  if cardinality(v_moved) is distinct from cardinality(p_ids) then
    select array_agg(i) into v_kept from unnest(p_ids) as i where i <> all (coalesce(v_moved, '{}'));
  end if;
  return query select v_kept, v_released;
end $$;

-- The claim -----------------------------------------------------------------------------------------------------------
-- Nearly always all of it is of one definition: that of its first job is looked up by itself, and only others' for each row.

create or replace function millrace.begin_runs(p_ids uuid[], p_worker_id text, p_token uuid, p_at timestamptz, p_ahead_ids uuid[])
returns setof millrace.claimed_job language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
declare
  v_definition    uuid;
  v_lease_seconds float8;
begin
  select d.id, d.lease_seconds into v_definition, v_lease_seconds
  from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
  where j.id = p_ids[1];
  return query
  update millrace.jobs as j
  set status = 'running',
      run_no = j.run_no + 1,
      lease_token = p_token,
      lease_expires_at = clock_timestamp() + make_interval(secs =>
        case when j.definition_id = v_definition then v_lease_seconds
             else (select d.lease_seconds from millrace.job_definitions d where d.id = j.definition_id) end),
      claimed_by_worker = p_worker_id,
      claimed_at = p_at,
      -- Those claimed ahead start later; their settlement says when.
      started_at = case when j.definition_id = any (p_ahead_ids) then null else p_at end,
      version = j.version + 1,
      changed_xid = pg_current_xact_id()
  where j.id = any (p_ids)
  returning j.id, j.tenant_id, j.definition_id, j.payload, j.priority, millrace.epoch_us(j.scheduled_for),
    millrace.epoch_us(j.queued_at), j.started_at is not null, j.run_no, j.max_attempts, j.version, j.created_by,
    case when j.source <> 'manual' or j.attempt_count + j.lost_lease_count + j.snooze_count > 0
           -- Tests for null, which stop at the first that is none: counting them is a function with ten arguments.
           or j.source_ref is not null or j.dedupe_key is not null or j.correlation_id is not null or j.subject_type is not null
           or j.requested_for is not null or j.expires_at is not null or j.timeout_seconds is not null
           or j.cancel_requested_at is not null or j.last_error is not null or j.reason is not null
         then jsonb_strip_nulls(jsonb_build_object(
           'source', j.source, 'sourceRef', j.source_ref, 'dedupeKey', j.dedupe_key, 'correlationId', j.correlation_id,
           'subjectType', j.subject_type, 'subjectId', j.subject_id, 'requestedUs', millrace.epoch_us(j.requested_for),
           'attemptCount', j.attempt_count, 'lostLeaseCount', j.lost_lease_count, 'snoozeCount', j.snooze_count,
           'expiresUs', millrace.epoch_us(j.expires_at), 'timeoutSeconds', j.timeout_seconds,
           'cancelRequestedUs', millrace.epoch_us(j.cancel_requested_at), 'reason', j.reason))
           || jsonb_build_object('lastError', j.last_error)
    end;
end $$;
