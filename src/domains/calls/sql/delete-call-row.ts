import { statement } from '../../../db/statement.ts';

/** Deletes a call with its transcript, its analyses and the rows of its artifacts. Locks them. Indexes: calls_pkey, artifacts_subject_idx. */
export const deleteCallRow = statement(
  'delete_call_row',
  `
with files as (
  delete from millrace.artifacts where tenant_id = $1 and subject_type = 'call' and subject_id = $2::text
)
delete from millrace.calls where tenant_id = $1 and id = $2::uuid returning title`,
);
