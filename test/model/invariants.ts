import { deepStrictEqual } from 'node:assert';
import type { System } from './system.ts';

/** Each asks the tables alone, without the model, for rows that break a rule. */
const INVARIANTS: Readonly<Record<string, string>> = {
  'an attempt carries the number of a run that there was': `
    select a.job_id from millrace.job_attempts a join millrace.jobs j on j.id = a.job_id
    where a.attempt_no not between 1 and j.run_no`,
  'a job that ended well has exactly one good attempt, that of its last run, and no other job has any': `
    select j.id from millrace.jobs j
    left join millrace.job_attempts a on a.job_id = j.id and a.status in ('succeeded', 'skipped')
    group by j.id, j.status, j.run_no
    having array_agg(a.attempt_no) <> case when j.status = 'succeeded' then array[j.run_no] else array[null::integer] end`,
  'an active dedupe key belongs to one job': `
    select tenant_id, dedupe_key from millrace.jobs where status in ('queued', 'running') and dedupe_key is not null
    group by 1, 2 having count(*) > 1`,
  // A worker that was to end a job whose budget is spent, without running it, may be lost as well.
  'only lost leases overdraw the budget':
    'select id from millrace.jobs where attempt_count > max_attempts + lost_lease_count',
  'whatever runs has a lease, and nothing else has': `
    select id from millrace.jobs
    where (status = 'running') <> (lease_token is not null and lease_expires_at is not null and claimed_by_worker is not null)`,
};

/** @throws AssertionError that names the rule and the rows */
export async function checkInvariants(system: System): Promise<void> {
  for (const [rule, query] of Object.entries(INVARIANTS)) {
    const { rows } = await system.q.superuser.query(query);
    deepStrictEqual(rows, [], rule);
  }
}
