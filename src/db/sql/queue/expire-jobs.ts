import { statement } from '../../statement.ts';

/**
 * Dooms up to $1 jobs that have not begun by their expires_at; end_doomed_jobs then ends them, whether or not
 * a worker knows them. A job whose run was handed back counts as not begun; one that failed and is to be
 * tried again has begun. Crosses tenants. Locks the rows, skipping what is held this moment. Index:
 * jobs_expires_idx (the sub-select makes the time a constant that the index can use).
 */
export const expireJobs = statement(
  'expire_jobs',
  `
with due as materialized (
  select j.id from millrace.jobs j
  where j.status = 'queued' and j.expires_at <= (select clock_timestamp()) and j.cancel_requested_at is null
    and j.attempt_count = 0 and j.snooze_count = 0
  order by j.expires_at
  limit $1
  for no key update of j skip locked
)
update millrace.jobs j
set cancel_requested_at = clock_timestamp(), reason = 'expired', pending_dependencies = 0,
    scheduled_for = greatest(j.scheduled_for, clock_timestamp()),
    version = j.version + 1, changed_xid = pg_current_xact_id()
from due
where j.id = due.id
returning j.id`,
);
