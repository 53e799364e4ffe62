-- As `settle_runs`, for runs that succeeded as an attempt of theirs and give no reason: each is its own
-- record (see own_records), so there is neither an attempt nor a usage event to store. `p_ids` in ascending
-- order, or two that share rows may wait for each other: the rows are reached by the array or in its order,
-- which is the same. A column of one value says it of every run.
create or replace function millrace.succeed_runs(
  p_ids              uuid[],
  p_run_nos          integer[],
  p_tokens           uuid[],
  p_results          jsonb[],
  p_started_seconds  float8[],       -- of the Unix epoch
  p_wall_ms          integer[],
  p_cpu_ms           integer[]       -- null when none is known
)
returns table (kept uuid[], released text)
language plpgsql volatile set plan_cache_mode = force_generic_plan set enable_nestloop = off
as $$
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
    -- By the array as well, see settle_runs. Of run numbers and tokens none is null, so that a null is one
    -- that is said of all.
    where j.id = any (p_ids) and j.id = i.id
      and j.run_no = coalesce(i.run_no, p_run_nos[1]) and j.lease_token = coalesce(i.token, p_tokens[1])
    returning j.id, j.tenant_id, j.definition_id
  )
  select array_agg(m.id), array_agg(distinct m.tenant_id), array_agg(distinct m.definition_id)
  into v_moved, v_tenants, v_definitions from moved m;

  v_released := millrace.release_waiting(v_moved, v_tenants, v_definitions);
  if cardinality(v_moved) is distinct from cardinality(p_ids) then
    select array_agg(i) into v_kept from unnest(p_ids) as i where i <> all (coalesce(v_moved, '{}'));
  end if;
  return query select v_kept, v_released;
end $$;
