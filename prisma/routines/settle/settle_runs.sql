-- Moves runs to where they ended, with their records, all in one statement, and releases what waited for
-- them.
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
  p_cpu_ms           integer[],
  -- Outcomes of programs: pid, exitCode, signal, stdoutTail, stderrTail; null when no run has any. Workers of
  -- an older version do not give it.
  p_outputs          jsonb[] default null
)
-- One row. `kept`: the jobs that were not moved, null when all were: it was not the caller's run any more, or
-- was to go back to the queue although its cancel was requested. `released`: null, `ready` when jobs may run
-- now (that waited for these, or for room under a limit), `doomed` when some are to be ended.
returns table (kept uuid[], released text)
-- Generic plans: every statement is a probe of the primary key whatever the values, and planning took longer
-- than running. No nested loop: between the input and its rows it is 500 x 500 comparisons.
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
  -- In one order, so that two that share rows cannot wait for each other. No `status = 'running'` here or
  -- below: the planner would take the index of running rows and wade through its dead entries, four times
  -- slower. The token is the guard.
  perform from millrace.jobs j where j.id = any (p_ids) and j.lease_token = any (p_tokens) order by j.id for no key update;

  with input as materialized (
    -- A column of one value says it of every run: most of a batch ended alike, and reading the same 500 times
    -- is a twentieth of it.
    select t.id,
           case when cardinality(p_run_nos)  = 1 then p_run_nos[1]  else t.run_no  end as run_no,
           case when cardinality(p_tokens)   = 1 then p_tokens[1]   else t.token   end as token,
           case when cardinality(p_statuses) = 1 then p_statuses[1] else t.status  end as status,
           case when cardinality(p_results)  = 1 then p_results[1]  else t.result  end as result,
           t.error, t.reason, t.delay_seconds,
           case when cardinality(p_outcomes) = 1 then p_outcomes[1] else t.outcome end as outcome,
           t.started_seconds,
           case when cardinality(p_wall_ms)  = 1 then p_wall_ms[1]  else t.wall_ms end as wall_ms,
           t.cpu_ms, t.output
    from unnest(p_ids, p_run_nos, p_tokens, p_statuses, p_results, p_errors, p_reasons, p_delay_seconds, p_outcomes,
                p_started_seconds, p_wall_ms, p_cpu_ms, p_outputs)
      as t (id, run_no, token, status, result, error, reason, delay_seconds, outcome, started_seconds, wall_ms, cpu_ms, output)
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
        -- A hand-back is not a settled run, and neither is one that never ran: the count of lost leases
        -- stays.
        lost_lease_count = case when i.outcome is null or i.outcome = 'handed_back' then j.lost_lease_count else 0 end,
        -- The worker counts in whole milliseconds.
        started_at = case when i.started_seconds is null then j.started_at
                          else greatest(to_timestamp(i.started_seconds), j.claimed_at) end,
        finished_at = case when i.status = 'queued' then null else clock_timestamp() end,
        -- Its record is this row itself: `job_attempts` and `usage_events` read it from here. One with an
        -- output has a row of its own.
        wall_ms = case when i.status = 'succeeded' and i.outcome = 'succeeded' and i.output is null then i.wall_ms end,
        cpu_ms = case when i.status = 'succeeded' and i.outcome = 'succeeded' and i.output is null then i.cpu_ms end,
        lease_token = null,
        lease_expires_at = null,
        version = j.version + 1,
        changed_xid = pg_current_xact_id()
    from input i
    -- By the array as well: it is what the index is asked for, so that the join has 500 rows on either side
    -- and no more, also where the statistics say that the table is empty and reading it whole looks cheapest.
    where j.id = any (p_ids) and j.id = i.id and j.run_no = i.run_no and j.lease_token = i.token
      and not (i.status = 'queued' and j.cancel_requested_at is not null)
    returning j.id, j.tenant_id, j.definition_id, j.status, j.run_no, j.claimed_by_worker, j.claimed_at, j.started_at,
              i.outcome, i.error, i.wall_ms, i.cpu_ms, i.output,
              j.wall_ms is not null as is_own_record
  ), attempts as (
    -- A snooze is no attempt. A hand-back spends none, but what was begun is on record.
    insert into millrace.stored_attempts
      (job_id, attempt_no, tenant_id, worker_id, status, claimed_at, started_at, finished_at, error, wall_ms, cpu_ms,
       pid, exit_code, signal, stdout_tail, stderr_tail)
    select m.id, m.run_no, m.tenant_id, m.claimed_by_worker,
           case m.outcome when 'handed_back' then 'interrupted' else m.outcome end,
           m.claimed_at, m.started_at, v_now, m.error, m.wall_ms, m.cpu_ms,
           (m.output ->> 'pid')::integer, (m.output ->> 'exitCode')::integer, m.output ->> 'signal',
           m.output ->> 'stdoutTail', m.output ->> 'stderrTail'
    from moved m where m.outcome <> 'snoozed' and not m.is_own_record
  ), used as (
    insert into millrace.stored_usage_events (tenant_id, definition_id, job_id, attempt_no, outcome, wall_ms, cpu_ms, created_at)
    select m.tenant_id, m.definition_id, m.id, m.run_no, m.outcome, m.wall_ms, m.cpu_ms, v_now
    from moved m where m.outcome is not null and not m.is_own_record
  )
  select array_agg(m.id), array_agg(m.id) filter (where m.status <> 'queued'),
         array_agg(distinct m.tenant_id), array_agg(distinct m.definition_id)
  into v_moved, v_final, v_tenants, v_definitions from moved m;

  v_released := millrace.release_waiting(v_final, v_tenants, v_definitions);
  if cardinality(v_moved) is distinct from cardinality(p_ids) then
    select array_agg(i) into v_kept from unnest(p_ids) as i where i <> all (coalesce(v_moved, '{}'));
  end if;
  return query select v_kept, v_released;
end $$;
