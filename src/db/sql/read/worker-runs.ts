import { statement } from '../../statement.ts';

/**
 * What workers $1 run, by definition, of all tenants: how many jobs, since when the first of them, and when
 * the first of their leases ends. Locks nothing. Index: jobs_running_idx, which has no more than what is
 * running.
 */
export const workerRuns = statement(
  'worker_runs',
  `
select j.claimed_by_worker as "workerId", d.key as "definitionKey", count(*)::integer as "jobCount",
  min(j.claimed_at) as "oldestClaimedAt", min(j.lease_expires_at) as "leaseExpiresAt"
from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
where j.status = 'running' and j.claimed_by_worker = any ($1::text[])
group by 1, 2
order by 1, 2`,
);

export interface WorkerRunsRow {
  readonly workerId: string;
  readonly definitionKey: string;
  readonly jobCount: number;
  readonly oldestClaimedAt: Date;
  readonly leaseExpiresAt: Date | null;
}
