create or replace view millrace.job_attempts with (security_invoker = true) as
select job_id, attempt_no, tenant_id, worker_id, status, claimed_at, started_at, finished_at, error, wall_ms, cpu_ms,
       exit_code, stdout_tail, stderr_tail, pid, signal
from millrace.stored_attempts
union all
select id, run_no, tenant_id, claimed_by_worker, status, claimed_at, started_at, finished_at, null::jsonb, wall_ms, cpu_ms,
       null::integer, null::text, null::text, null::integer, null::text
from millrace.jobs
where status = 'succeeded' and wall_ms is not null;

alter view millrace.job_attempts alter column finished_at set default now();
