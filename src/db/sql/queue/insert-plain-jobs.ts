import { statement } from '../../statement.ts';
import { INSERT, type InsertJobsRow, IS_NOTIFIED, REFUSALS, ROW, ROWS, SHARED } from './insert-jobs.ts';

/**
 * Enqueues jobs that have no dedupe key: what `insert_jobs` does for all, at half its price. No rival can
 * keep such a job out, so it needs no ON CONFLICT (a second WAL record and a lock for each row), no order,
 * and no look at what was written. Rows go from the parameters into the table and are kept nowhere between:
 * only when fewer went in than were given are they looked at again for why. Ids are known by what they begin
 * with.
 * Locks: the new rows. Indexes: job_definitions_key_key, tenants_pkey.
 */
export const insertPlainJobs = statement(
  'insert_plain_jobs',
  `
with ${SHARED}, input as not materialized (
  select ${ROW}, case ${REFUSALS} end as refusal ${ROWS}
), inserted as (${INSERT}
  returning 1
)
select s.id_prefix,
       case when (select count(*) from inserted) < jsonb_array_length($5::jsonb)
            then (select jsonb_object_agg(i.position, i.refusal) from input i where i.refusal is not null) end as refusals, ${IS_NOTIFIED}
from shared s`,
);

export interface InsertPlainJobsRow {
  /** For `newJobId`. */
  readonly id_prefix: string;
  /** Null when all were created; else what `insert_jobs` says of the rows that were left out, by position. */
  readonly refusals: Readonly<Record<string, InsertJobsRow['outcome']>> | null;
  readonly is_notified: boolean;
}
