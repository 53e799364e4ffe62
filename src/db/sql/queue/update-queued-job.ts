import type { Job } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * Another priority ($3) or time ($4) for a queued job that the transaction holds (lock_jobs); null leaves it.
 * A past time is clamped to now and kept in requested_for, as enqueue does. So is the time of a job that only
 * changes its priority: workers remember, for each priority, before which time they have seen
 * everything. Index: jobs_pkey.
 */
export const updateQueuedJob = statement(
  'update_queued_job',
  `
update millrace.jobs as j
set priority = coalesce($3::integer, j.priority),
    requested_for = case when $4::timestamptz is null then j.requested_for
                         when $4::timestamptz < clock_timestamp() then $4::timestamptz end,
    scheduled_for = greatest(coalesce($4::timestamptz, j.scheduled_for), clock_timestamp()),
    version = version + 1, changed_xid = pg_current_xact_id()
where j.tenant_id = $1 and j.id = $2
returning j.priority, j.scheduled_for`,
);

export type UpdatedJobRow = Columns<Job, 'priority' | 'scheduled_for'>;
