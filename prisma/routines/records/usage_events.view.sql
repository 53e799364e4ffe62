-- `id` distinguishes stored events of one microsecond. (job_id, attempt_no) is what names a run, stored or
-- not.
create or replace view millrace.usage_events with (security_invoker = true) as
select id, tenant_id, definition_id, job_id, attempt_no, outcome, wall_ms, cpu_ms, created_at
from millrace.stored_usage_events
union all
select null::bigint, tenant_id, definition_id, id, run_no, status, wall_ms, cpu_ms, finished_at
from millrace.jobs
where status = 'succeeded' and wall_ms is not null and finished_at is not null;

alter view millrace.usage_events alter column created_at set default now();
