import { statement } from '../../../db/statement.ts';

/**
 * What became of ticks and events at triggers, a column a parameter: tenants, triggers, events, ticks,
 * outcomes, jobs, reasons.
 */
export const insertTriggerRuns = statement(
  'insert_trigger_runs',
  `
insert into millrace.trigger_runs (tenant_id, trigger_id, event_id, scheduled_at, outcome, job_id, reason)
select r.* from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[], $6::uuid[], $7::text[]) as r`,
);
