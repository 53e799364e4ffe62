import {
  arrayParameterOf,
  enqueuedNames,
  UNNESTED_NAMES,
  unnestedColumns,
  valuesOfRow,
} from '../../enqueued-sql.ts';
import { statement } from '../../statement.ts';
import { FIRST_ID, type InsertJobsRow, notifiedColumn } from './insert-jobs.ts';
import { FIRST_ENQUEUED } from './insert-one-job.ts';

/**
 * Enqueues jobs of one tenant and one definition, put in by one caller, that have neither dedupe key nor
 * parents: what `insert_plain_jobs` does for them, without a look for tenant and definition at each row,
 * which is a twelfth of it. `refusal`: none could go in, for what it says; `expired`: the places of those
 * that could not.
 * $1 tenant, $2 definition's key, $3 its revision (null: whatever it is), $4 the caller, $5 payloads as one
 * list, $6 also for a tenant that is being deleted, $7 channels that are notified within the transaction, as
 * in `insert_jobs`, from $8 on an array for each of `ENQUEUED_COLUMNS`, null where no row uses it.
 * Locks: the new rows. Indexes: job_definitions_key_key, tenants_pkey.
 */
export const insertUniformBatch = statement(
  'insert_uniform_batch',
  `
with shared as materialized (
  select left(uuidv7()::text, 30) as id_prefix, s.now, n.id as tenant_id, d.id as definition_id, d.max_attempts,
         case when n.id is null or (n.deleted_at is not null and not $6::boolean) then 'no_tenant'
              when $3::text <> d.xmin::text then 'stale'
              when d.id is null then 'no_definition'
              when not d.is_active then 'inactive' end as refusal
  from (select clock_timestamp() as now) s
  left join millrace.tenants n on n.id = $1::uuid
  left join millrace.job_definitions d on d.key = $2
), inserted as (
  insert into millrace.jobs
    (id, tenant_id, definition_id, created_by, payload, queued_at, ${enqueuedNames()})
  select (s.id_prefix || to_hex(${FIRST_ID} + t.position))::uuid, s.tenant_id, s.definition_id, $4, t.payload, s.now,
         ${valuesOfRow('t', { clock: 's', definition: 's' })}
  from shared s
  cross join rows from (jsonb_array_elements($5::jsonb), ${unnestedColumns(FIRST_ENQUEUED)})
    with ordinality as t (payload, ${UNNESTED_NAMES}, position)
  where s.refusal is null and (t.expires_at is null or t.expires_at > greatest(t.scheduled_for, s.now))
  returning 1
)
select s.id_prefix, s.refusal,
       (select array_agg(t.position::integer)
        from unnest(${arrayParameterOf('scheduled_for', FIRST_ENQUEUED)}, ${arrayParameterOf('expires_at', FIRST_ENQUEUED)})
          with ordinality as t (scheduled_for, expires_at, position)
        where t.expires_at <= greatest(t.scheduled_for, s.now)) as expired,
       ${notifiedColumn('$7')}
from shared s`,
);

export interface InsertUniformBatchRow {
  /** For `newJobId`. */
  readonly id_prefix: string;
  /** The outcome of all jobs; null unless their tenant or definition is why they are left out. */
  readonly refusal: InsertJobsRow['outcome'] | null;
  /** Positions from 1; null when there is none. */
  readonly expired: readonly number[] | null;
  readonly is_notified: boolean;
}
