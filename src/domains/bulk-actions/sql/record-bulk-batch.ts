import { statement } from '../../../db/statement.ts';

/**
 * Adds what a batch did to bulk action $2 of tenant $1, for its holder $3: $4 done, $5 asked to stop, $6 left
 * as they are by reason; the last job looked at is $7, null for the one before. In the transaction of the
 * batch. No row: somebody else holds it. Locks the row. Index: bulk_actions_pkey.
 */
export const recordBulkBatch = statement(
  'record_bulk_batch',
  `
update millrace.bulk_actions b
set done_count = b.done_count + $4, requested_count = b.requested_count + $5,
    failed_count = b.failed_count + (select coalesce(sum(value::integer), 0) from jsonb_each_text($6::jsonb)),
    skipped = (
      select coalesce(jsonb_object_agg(s.key, s.count), '{}') from (
        select e.key, sum(e.value::integer)::integer as count
        from (select * from jsonb_each_text(b.skipped) union all select * from jsonb_each_text($6::jsonb)) e group by e.key) s),
    last_job_id = coalesce($7::uuid, b.last_job_id), version = b.version + 1, changed_xid = pg_current_xact_id()
where b.tenant_id = $1 and b.id = $2 and b.holder = $3 and b.status = 'running'
returning b.stop_requested_at is not null as "isStopRequested"`,
);

export interface RecordedBatchRow {
  readonly isStopRequested: boolean;
}
