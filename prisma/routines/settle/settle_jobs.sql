-- needs: settle_runs
-- For workers of the previous version.
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
