-- What the end of a job does to those that wait for it, and what its retry takes back. Functions, because each needs several
-- statements with a snapshot of their own: whoever writes jobs.pending_dependencies first holds the waiting job's row and then, in a
-- new statement, reads how its parents stand; whoever ends a job holds the rows of all that wait for it, whatever their status,
-- after the move. So of two parents that end at once, and of a parent that ends while its child is retried, the second
-- always sees the first. PL/pgSQL and volatile: a SQL or stable function would read with its caller's old snapshot.

-- For the look at what waits for parents, which is to find nothing.
create index jobs_pending_idx on millrace.jobs (id) where status = 'queued' and pending_dependencies > 0;

-- A parent that has ended without success. One that was skipped counts as success for its own children.
create function millrace.ended_badly(p_status text, p_reason text) returns boolean
language sql immutable parallel safe
return p_status in ('failed', 'dead_letter') or (p_status = 'canceled' and p_reason is distinct from 'skipped');

-- Counts anew what waiting jobs wait for, and lets them go or dooms them. Locks the jobs in id order. A policy acts for parents
-- among p_ended_ids only (null: all of them): a job that an operator retried although a parent had failed keeps its retry.
-- Indexes: jobs_pkey, job_dependencies_pkey.
create function millrace.recount_dependencies(p_job_ids uuid[], p_ended_ids uuid[])
returns table (job_id uuid, tenant_id uuid, action text)
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
begin
  -- No status in the WHERE: a job that is canceled in this snapshot may be about to be queued again by who holds it.
  perform from millrace.jobs j where j.id = any (p_job_ids) order by j.id for no key update;

  return query
  with verdict as materialized (
    select c.id,
           count(*) filter (where p.status in ('queued', 'running'))::integer as pending,
           coalesce(bool_or(bad.acts and d.policy = 'cancel'), false) as cancels,
           coalesce(bool_or(bad.acts and d.policy = 'skip'), false) as skips
    from unnest(p_job_ids) as c (id)
    left join millrace.job_dependencies d on d.job_id = c.id
    left join millrace.jobs p on p.id = d.depends_on_id
    left join lateral (
      select millrace.ended_badly(p.status, p.reason) and (p_ended_ids is null or p.id = any (p_ended_ids)) as acts
    ) bad on true
    group by c.id
  ), moved as (
    update millrace.jobs j
    set pending_dependencies = case when v.cancels or v.skips then 0 else v.pending end,
        cancel_requested_at = case when v.cancels or v.skips then clock_timestamp() else j.cancel_requested_at end,
        reason = case when v.cancels then 'parent_failed' when v.skips then 'skipped' else j.reason end,
        scheduled_for = case when v.cancels or v.skips or v.pending = 0 then greatest(j.scheduled_for, clock_timestamp())
                             else j.scheduled_for end,
        version = j.version + 1,
        changed_xid = pg_current_xact_id()
    from verdict v
    where j.id = v.id and j.status = 'queued' and j.pending_dependencies > 0
      and (v.cancels or v.skips or v.pending <> j.pending_dependencies)
    returning j.id, j.tenant_id, v.pending,
              case when v.cancels or v.skips then 'doomed' when v.pending = 0 then 'ready' end as action
  )
  select m.id, m.tenant_id, m.action from moved m where m.action is not null;
end $$;

-- Lets go or dooms what waits for jobs that this transaction has moved to a final state. To be called after the move, as a
-- statement of its own: in the same one, a job that was enqueued behind a parent while that ended is in no snapshot and waits for ever.
-- A doomed job is queued, with cancel_requested_at and a reason: end_doomed_jobs ends it.
-- Locks the dependents in id order, after their parents. Index: job_dependencies_parent_idx.
create function millrace.release_dependents(p_parent_ids uuid[])
returns table (job_id uuid, tenant_id uuid, action text)
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
declare
  v_children uuid[];
begin
  select array_agg(distinct d.job_id) into v_children
  from millrace.job_dependencies d where d.depends_on_id = any (p_parent_ids);
  if v_children is not null then
    return query select r.job_id, r.tenant_id, r.action from millrace.recount_dependencies(v_children, p_parent_ids) r;
  end if;
end $$;

-- Ends up to p_limit doomed jobs without a worker, and what their end dooms in turn, level by level. What is over the limit
-- stays doomed for the next call. The caller applies the effects of each end in the same transaction.
-- `released`: something became ready to run; the same on every row.
-- Locks the first level with skip locked (a worker may have claimed it, and then ends it itself), the rest as
-- release_dependents. Index: jobs_doomed_idx.
create function millrace.end_doomed_jobs(p_limit integer)
returns table (ended millrace.jobs, definition_key text, released boolean)
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
declare
  v_level    uuid[];
  v_ended    uuid[] := '{}';
  v_released boolean := false;
begin
  select array_agg(d.id) into v_level
  from (select j.id from millrace.jobs j where j.status = 'queued' and j.cancel_requested_at is not null
        order by j.id limit p_limit for no key update skip locked) d;
  while v_level is not null and cardinality(v_ended) < p_limit loop
    v_level := v_level[1 : p_limit - cardinality(v_ended)];
    update millrace.jobs j
    set status = 'canceled', reason = coalesce(j.reason, 'canceled'), finished_at = clock_timestamp(),
        version = j.version + 1, changed_xid = pg_current_xact_id()
    where j.id = any (v_level);
    v_ended := v_ended || v_level;
    select array_agg(r.job_id order by r.job_id) filter (where r.action = 'doomed'),
           v_released or coalesce(bool_or(r.action = 'ready'), false)
    into v_level, v_released
    from millrace.release_dependents(v_level) r;
  end loop;
  return query
  select j, d.key, v_released from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
  where j.id = any (v_ended) order by j.id;
end $$;

-- Brings back jobs that the transaction holds and that a parent's end had doomed or ended, unless another parent still stands
-- against them; those that wait only are counted anew. Returns what had ended and is queued again.
create function millrace.revive_held_jobs(p_job_ids uuid[]) returns setof uuid
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
begin
  return query
  with verdict as materialized (
    select c.id, count(*) filter (where p.status in ('queued', 'running'))::integer as pending
    from unnest(p_job_ids) as c (id)
    left join millrace.job_dependencies d on d.job_id = c.id
    left join millrace.jobs p on p.id = d.depends_on_id
    group by c.id
    having not coalesce(bool_or(millrace.ended_badly(p.status, p.reason) and d.policy <> 'run'), false)
  ), moved as (
    update millrace.jobs j
    set status = 'queued',
        pending_dependencies = v.pending,
        attempt_count = case when j.status = 'canceled' then 0 else j.attempt_count end,
        lost_lease_count = case when j.status = 'canceled' then 0 else j.lost_lease_count end,
        snooze_count = case when j.status = 'canceled' then 0 else j.snooze_count end,
        scheduled_for = greatest(j.scheduled_for, clock_timestamp()),
        finished_at = null,
        cancel_requested_at = null,
        reason = null,
        version = j.version + 1,
        changed_xid = pg_current_xact_id()
    from verdict v
    where j.id = v.id
      and ((j.status = 'canceled' and j.reason in ('parent_failed', 'skipped'))
        or (j.status = 'queued' and j.cancel_requested_at is not null and j.reason in ('parent_failed', 'skipped'))
        or (j.status = 'queued' and j.pending_dependencies > 0 and j.pending_dependencies <> v.pending))
    returning j.id, old.status as was
  )
  select m.id from moved m where m.was = 'canceled';
end $$;

-- Brings back what the end of jobs had ended that this transaction has put back into the queue, and counts anew what those
-- themselves wait for: a parent may have ended since they were canceled. Level by level, until p_limit are back; `is_edge` marks those whose own children are still to be looked at, in a transaction of their own. The caller applies the
-- effects of each requeue. A job whose dedupe key is active again stays as it is.
-- Locks the dependents level by level, each in id order, whatever their status. Index: job_dependencies_parent_idx.
create function millrace.revive_dependents(p_parent_ids uuid[], p_limit integer)
returns table (revived millrace.jobs, definition_key text, is_edge boolean)
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
declare
  v_level    uuid[] := p_parent_ids;
  v_children uuid[];
  v_plain    uuid[];
  v_keyed    uuid[];
  v_id       uuid;
  v_back     uuid[];
  v_revived  uuid[] := '{}';
begin
  update millrace.jobs j
  set pending_dependencies = c.pending, version = j.version + 1, changed_xid = pg_current_xact_id()
  from (select d.job_id, count(*) filter (where p.status in ('queued', 'running'))::integer as pending
        from millrace.job_dependencies d join millrace.jobs p on p.id = d.depends_on_id
        where d.job_id = any (p_parent_ids)
        group by d.job_id) c
  where j.id = c.job_id and j.status = 'queued' and j.pending_dependencies <> c.pending;

  while cardinality(v_level) > 0 and cardinality(v_revived) < p_limit loop
    select array_agg(distinct d.job_id) into v_children
    from millrace.job_dependencies d where d.depends_on_id = any (v_level);
    v_level := '{}';
    exit when v_children is null;
    perform from millrace.jobs j where j.id = any (v_children) order by j.id for no key update;
    select array_agg(j.id) filter (where j.dedupe_key is null or j.status <> 'canceled'),
           array_agg(j.id) filter (where j.dedupe_key is not null and j.status = 'canceled')
    into v_plain, v_keyed
    from millrace.jobs j where j.id = any (v_children);
    select coalesce(array_agg(r.id), '{}') into v_back from millrace.revive_held_jobs(v_plain) as r (id);
    v_level := v_level || v_back;
    foreach v_id in array coalesce(v_keyed, '{}') loop
      begin
        select coalesce(array_agg(r.id), '{}') into v_back from millrace.revive_held_jobs(array[v_id]) as r (id);
        v_level := v_level || v_back;
      exception when unique_violation then null;
      end;
    end loop;
    v_revived := v_revived || v_level;
  end loop;
  return query
  select j, d.key, j.id = any (v_level)
  from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
  where j.id = any (v_revived) order by j.id;
end $$;
