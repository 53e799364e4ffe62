import type { Job } from '../../../generated/prisma/client.ts';
import { WORK_CHANNEL } from '../../channels.ts';
import type { Columns } from '../../columns.ts';
import { enqueuedNames, parameterOf, valuesOfParameters } from '../../enqueued-sql.ts';
import { statement } from '../../statement.ts';

/** Number of the first parameter of `ENQUEUED_COLUMNS`, here and in `insert_uniform_batch`. */
export const FIRST_ENQUEUED = 8;
const ASKED_FOR = parameterOf('scheduled_for', FIRST_ENQUEUED);
const EXPIRES_AT = parameterOf('expires_at', FIRST_ENQUEUED);

/**
 * Enqueues one job that has neither dedupe key nor parents: what `insert_plain_jobs` does for it, at two
 * thirds of its price, since it puts no rows together from arrays. No row: it cannot go in, and
 * `insert_uniform_batch` says why.
 * $1 tenant, $2 definition's key, $3 its revision (its row's xmin; null: whatever it is), $4 the caller, $5
 * payload, $6 also for a tenant that is being deleted, $7 channels that are notified within the transaction,
 * as in `insert_jobs`, from $8 on one for each of `ENQUEUED_COLUMNS`.
 * Locks: the new row. Indexes: job_definitions_key_key, tenants_pkey.
 */
export const insertOneJob = statement(
  'insert_one_job',
  `
with inserted as (
  insert into millrace.jobs
    (id, tenant_id, definition_id, created_by, payload, queued_at, ${enqueuedNames()})
  select uuidv7(), n.id, d.id, $4, $5, s.now, ${valuesOfParameters(FIRST_ENQUEUED, { clock: 's', definition: 'd' })}
  from (select clock_timestamp() as now) s, millrace.tenants n, millrace.job_definitions d
  where n.id = $1::uuid and (n.deleted_at is null or $6::boolean)
    and d.key = $2 and d.is_active and ($3::text is null or d.xmin::text = $3)
    and (${EXPIRES_AT} is null or ${EXPIRES_AT} > greatest(${ASKED_FOR}, s.now))
  returning id
)
select i.id, (select count(pg_notify(c.channel, case when c.channel = '${WORK_CHANNEL}' then pg_current_xact_id()::text else '' end)) from unnest($7::text[]) as c (channel) where millrace.can_notify()) > 0 as is_notified
from inserted i`,
  { dedicatedTo: 'inserting' },
);

export interface InsertOneJobRow extends Columns<Job, 'id'> {
  readonly is_notified: boolean;
}
