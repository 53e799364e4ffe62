import type { Job } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * An operator's retry of jobs that the transaction holds (lock_jobs): fresh budget, ready within $3 seconds,
 * run numbers go on. A job whose dedupe key is active again, or was given to an earlier one of these, stays
 * as it is and is not returned. Its time in the queue, which a deadline for snoozing counts from, begins
 * again. An expiry that has passed is lifted: it would end the job before its run. Waits for an uncommitted
 * rival of a key, as long as lock_timeout; a unique violation on jobs_active_dedupe_idx when it
 * commits. Indexes: jobs_pkey, jobs_active_dedupe_idx.
 */
export const retryJobs = statement(
  'retry_jobs',
  `
with held as materialized (
  select j.id, j.dedupe_key, row_number() over (partition by j.dedupe_key order by j.id) as turn
  from millrace.jobs j where j.tenant_id = $1 and j.id = any ($2::uuid[])
)
update millrace.jobs as j
set status = 'queued', attempt_count = 0, lost_lease_count = 0, snooze_count = 0,
    queued_at = clock_timestamp(), scheduled_for = clock_timestamp() + random() * make_interval(secs => $3::double precision),
    finished_at = null, cancel_requested_at = null, reason = null, result = null,
    expires_at = case when j.expires_at > clock_timestamp() then j.expires_at end,
    version = version + 1, changed_xid = pg_current_xact_id()
from held h
where j.tenant_id = $1 and j.id = h.id
  and (h.dedupe_key is null
       or (h.turn = 1
           -- Not EXISTS, which the planner may answer by reading every active job that has a key.
           and (select true from millrace.jobs a
                where a.tenant_id = $1 and a.dedupe_key = h.dedupe_key and a.status in ('queued', 'running') limit 1) is null))
returning j.id`,
);

export type RetriedJobRow = Columns<Job, 'id'>;
