import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Trigger } from '../../../generated/prisma/client.ts';

/**
 * Ids of the triggers of tenant $1 whose last run failed: its job has failed for good, or it made none for
 * another reason than that it was not to ($2, outcomes that are as they should be). A tenant has at most
 * 10,000 triggers. Indexes: triggers_tenant_idx, trigger_runs_trigger_idx, the keys of jobs.
 */
export const failingTriggers = statement(
  'failing_triggers',
  `
select t.id
from millrace.triggers t
cross join lateral (
  select r.outcome, r.job_id from millrace.trigger_runs r where r.trigger_id = t.id order by r.id desc limit 1
) r
where t.tenant_id = $1
  and (r.outcome <> all ($2::text[])
       or exists (select from millrace.jobs j where j.id = r.job_id and j.status in ('failed', 'dead_letter')))`,
);

export interface FailingTriggerRow extends Columns<Trigger, 'id'> {}
