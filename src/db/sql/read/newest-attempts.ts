import { statement } from '../../statement.ts';

/**
 * The newest 100 settled runs of each job, in order of their numbers. Locks nothing. Indexes:
 * stored_attempts_pkey, jobs_pkey.
 */
export const newestAttempts = statement(
  'newest_attempts',
  `
select a.job_id as "jobId", a.attempt_no as "attemptNo", a.worker_id as "workerId", a.status,
       a.claimed_at as "claimedAt", a.started_at as "startedAt", a.finished_at as "finishedAt", a.error,
       a.wall_ms as "wallMs", a.cpu_ms as "cpuMs", a.pid, a.exit_code as "exitCode", a.signal,
       a.stdout_tail as "stdoutTail", a.stderr_tail as "stderrTail"
from unnest($1::uuid[]) as wanted (id)
cross join lateral (
  select * from millrace.job_attempts t where t.job_id = wanted.id order by t.attempt_no desc limit 100
) a
order by a.job_id, a.attempt_no`,
);
