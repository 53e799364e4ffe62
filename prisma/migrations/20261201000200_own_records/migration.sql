-- A run that succeeded has all of its record in the row of its job: who ran it, when, for how long. It was written twice more, as an
-- attempt and as a usage event, at a fifth of what the settlement of a small job cost the server. Now both are read from where they
-- are: `job_attempts` and `usage_events` are views over what had to be stored (every other end) and what stands in the job's own row.

-- What the last run took, in milliseconds, if it succeeded.
alter table millrace.jobs add column wall_ms integer, add column cpu_ms integer;

alter table millrace.job_attempts rename to stored_attempts;
alter index millrace.job_attempts_pkey rename to stored_attempts_pkey;
alter table millrace.usage_events rename to stored_usage_events;
alter index millrace.usage_events_pkey rename to stored_usage_events_pkey;

-- Views ---------------------------------------------------------------------------------------------------------------
-- With the rights and the row security of whoever asks. One ends where the other begins: a succeeded job never runs again.

create view millrace.job_attempts with (security_invoker = true) as
select job_id, attempt_no, tenant_id, worker_id, status, claimed_at, started_at, finished_at, error, wall_ms, cpu_ms,
       exit_code, stdout_tail, stderr_tail
from millrace.stored_attempts
union all
select id, run_no, tenant_id, claimed_by_worker, status, claimed_at, started_at, finished_at, null::jsonb, wall_ms, cpu_ms,
       null::integer, null::text, null::text
from millrace.jobs
where status = 'succeeded' and wall_ms is not null;

-- `id` tells stored events of one microsecond apart. (job_id, attempt_no) is what names a run, stored or not.
create view millrace.usage_events with (security_invoker = true) as
select id, tenant_id, definition_id, job_id, attempt_no, outcome, wall_ms, cpu_ms, created_at
from millrace.stored_usage_events
union all
select null::bigint, tenant_id, definition_id, id, run_no, status, wall_ms, cpu_ms, finished_at
from millrace.jobs
where status = 'succeeded' and wall_ms is not null and finished_at is not null;

alter view millrace.job_attempts alter column finished_at set default now();
alter view millrace.usage_events alter column created_at set default now();

-- For workers of the version before, which know tables of these names: they rescue jobs and prune events until they are replaced.
create function millrace.store_attempt() returns trigger language plpgsql as $$
begin
  insert into millrace.stored_attempts
    (job_id, attempt_no, tenant_id, worker_id, status, claimed_at, started_at, finished_at, error, wall_ms, cpu_ms, exit_code,
     stdout_tail, stderr_tail)
  values
    (new.job_id, new.attempt_no, new.tenant_id, new.worker_id, new.status, new.claimed_at, new.started_at, new.finished_at, new.error,
     new.wall_ms, new.cpu_ms, new.exit_code, new.stdout_tail, new.stderr_tail);
  return new;
end $$;
create trigger store_attempt instead of insert on millrace.job_attempts for each row execute function millrace.store_attempt();

create function millrace.store_usage_event() returns trigger language plpgsql as $$
begin
  insert into millrace.stored_usage_events (tenant_id, definition_id, job_id, attempt_no, outcome, wall_ms, cpu_ms, created_at)
  values (new.tenant_id, new.definition_id, new.job_id, new.attempt_no, new.outcome, new.wall_ms, new.cpu_ms, new.created_at);
  return new;
end $$;
create trigger store_usage_event instead of insert on millrace.usage_events for each row execute function millrace.store_usage_event();

create function millrace.prune_usage_event() returns trigger language plpgsql as $$
begin
  delete from millrace.stored_usage_events e where e.tenant_id = old.tenant_id and e.created_at = old.created_at and e.id = old.id;
  return case when found then old end;
end $$;
create trigger prune_usage_event instead of delete on millrace.usage_events for each row execute function millrace.prune_usage_event();

do $$
declare
  v_prefix text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace');
  v_api    text := v_prefix || '_api';
  v_worker text := v_prefix || '_worker';
  v_admin  text := v_prefix || '_admin';
begin
  execute format('grant select on millrace.job_attempts, millrace.usage_events to %I, %I, %I', v_api, v_worker, v_admin);
  execute format('grant insert on millrace.job_attempts to %I', v_worker);
  execute format('grant insert, delete on millrace.usage_events to %I', v_worker);
end $$;

-- What a job leaves behind --------------------------------------------------------------------------------------------

create or replace function millrace.bury_jobs() returns trigger language plpgsql as $$
begin
  insert into millrace.job_tombstones
    (job_id, tenant_id, definition_id, subject_type, subject_id, correlation_id, created_by)
  select id, tenant_id, definition_id, subject_type, subject_id, correlation_id, created_by from gone
  on conflict (job_id) do nothing;
  -- What a tenant used outlives the job: what stood in the row is stored now.
  insert into millrace.stored_usage_events (tenant_id, definition_id, job_id, attempt_no, outcome, wall_ms, cpu_ms, created_at)
  select tenant_id, definition_id, id, run_no, status, wall_ms, cpu_ms, finished_at from gone
  where status = 'succeeded' and wall_ms is not null;
  delete from millrace.stored_attempts a using gone g where a.job_id = g.id;
  delete from millrace.job_progress p using gone g where p.job_id = g.id;
  insert into millrace.deleted_job_logs (job_id)
  select g.id from gone g where exists (select from millrace.job_log_lines l where l.job_id = g.id)
  on conflict (job_id) do nothing;
  return null;
end $$;

-- A succeeded job stays as it is ---------------------------------------------------------------------------------------

create or replace function millrace.check_job_move() returns trigger language plpgsql as $$
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
     or new.attempt_count <> old.attempt_count
     or new.wall_ms is distinct from old.wall_ms
     or new.cpu_ms is distinct from old.cpu_ms))
  then
    raise exception 'job %: % (run %) -> % (run %) is not a legal move', old.id, old.status, old.run_no, new.status, new.run_no
      using errcode = 'check_violation', schema = 'millrace', table = 'jobs', constraint = 'jobs_legal_move';
  end if;
  return new;
end $$;

-- Settlement ----------------------------------------------------------------------------------------------------------

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
