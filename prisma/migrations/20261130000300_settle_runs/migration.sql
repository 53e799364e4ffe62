-- A settlement answers with what it did not move, which is mostly nothing, instead of a row for each run: writing and reading those
-- rows was a tenth of what a small job's settlement cost. The function has a new name, so that a worker of the version before still
-- ends its runs while workers are replaced one by one.

create function millrace.settle_runs(
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
-- Generic plans: every statement is a probe of the primary key whatever the values, and planning took longer than running.
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
declare
  v_now      timestamptz := clock_timestamp();
  v_moved    uuid[];
  v_final    uuid[];
  v_tenants  uuid[];
  v_definitions uuid[];
  v_kept     uuid[];
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
  if cardinality(v_moved) is distinct from cardinality(p_ids) then
    select array_agg(i) into v_kept from unnest(p_ids) as i where i <> all (coalesce(v_moved, '{}'));
  end if;
  return query select v_kept, v_released;
end $$;

-- For workers of the version before.
create or replace function millrace.settle_jobs(
  p_ids uuid[], p_run_nos integer[], p_tokens uuid[], p_statuses text[], p_results jsonb[], p_errors jsonb[], p_reasons text[],
  p_delay_seconds float8[], p_outcomes text[], p_started_seconds float8[], p_wall_ms integer[], p_cpu_ms integer[]
)
returns table (job_id uuid, released text) language sql volatile as $$
  select i.id, s.released
  from millrace.settle_runs(p_ids, p_run_nos, p_tokens, p_statuses, p_results, p_errors, p_reasons, p_delay_seconds, p_outcomes,
                            p_started_seconds, p_wall_ms, p_cpu_ms) s,
       unnest(p_ids) as i (id)
  where i.id <> all (coalesce(s.kept, '{}'))
$$;
