import { statement } from '../../../db/statement.ts';

/**
 * Moves the schedules $1 on: next ticks $2, when they are due $3, the last tick $4 and its job $5 (null:
 * there was none, the former stays). Index: triggers_pkey.
 */
export const advanceSchedules = statement(
  'advance_schedules',
  `
update millrace.triggers t
set next_at = a.next_at, due_at = a.due_at, last_at = coalesce(a.last_at, t.last_at), last_job_id = coalesce(a.job_id, t.last_job_id)
from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[], $5::uuid[]) as a (id, next_at, due_at, last_at, job_id)
where t.id = a.id`,
);
