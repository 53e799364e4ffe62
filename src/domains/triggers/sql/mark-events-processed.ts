import { statement } from '../../../db/statement.ts';

/**
 * Marks the events $1 as processed, with the number of their triggers ($2) and jobs ($3). Index:
 * app_events_pkey.
 */
export const markEventsProcessed = statement(
  'mark_events_processed',
  `
update millrace.app_events e
set processed_at = clock_timestamp(), trigger_count = p.triggers, job_count = p.jobs
from unnest($1::uuid[], $2::integer[], $3::integer[]) as p (id, triggers, jobs)
where e.id = p.id and e.processed_at is null`,
);
