import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Trigger } from '../../../generated/prisma/client.ts';

/**
 * Schedules whose tick is due, at most $1, those that are due longest first; those that another process holds
 * are passed over, and a frozen process cannot enqueue a tick that another has moved on. Index:
 * triggers_due_idx.
 */
export const lockDueSchedules = statement(
  'lock_due_schedules',
  `
select t.id, t.tenant_id, n.slug as tenant_slug, t.label, t.cron, t.every_seconds, t.run_at, t.time_zone, t.missing_hour, t.repeated_hour,
       t.missed_runs, t.backfill_limit, t.jitter_seconds, t.starts_at, t.ends_at, t.next_at, t.due_at, t.payload_template, t.priority,
       t.version::text as version, d.key as definition_key, t.created_by, clock_timestamp() as now,
       t.skip_while_active, t.last_at,
       t.skip_while_active and exists (
         select from millrace.jobs j where j.id = t.last_job_id and j.status in ('queued', 'running')) as is_last_active
from millrace.triggers t
join millrace.tenants n on n.id = t.tenant_id
join millrace.job_definitions d on d.id = t.definition_id
where t.is_enabled and t.due_at <= clock_timestamp()
order by t.due_at, t.id
limit $1
for no key update of t skip locked`,
);

export interface DueScheduleRow
  extends Columns<
    Trigger,
    | 'id'
    | 'tenant_id'
    | 'label'
    | 'cron'
    | 'every_seconds'
    | 'run_at'
    | 'time_zone'
    | 'missing_hour'
    | 'repeated_hour'
    | 'missed_runs'
    | 'backfill_limit'
    | 'jitter_seconds'
    | 'starts_at'
    | 'ends_at'
    | 'next_at'
    | 'due_at'
    | 'payload_template'
    | 'priority'
    | 'version'
    | 'created_by'
    | 'last_at'
    | 'skip_while_active'
  > {
  readonly tenant_slug: string;
  readonly missing_hour: 'after' | 'skip';
  readonly repeated_hour: 'first' | 'both';
  readonly missed_runs: 'skip' | 'run_once' | 'backfill';
  readonly next_at: Date;
  readonly due_at: Date;
  readonly definition_key: string;
  /** The database's time. */
  readonly now: Date;
  /** It is not to run beside its last job, and that one has not ended. */
  readonly is_last_active: boolean;
}
