import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Call } from '../../../generated/prisma/client.ts';

/**
 * Deletes a call with its transcript, its analyses, its clips and the rows of their artifacts. Locks them.
 * Indexes: calls_pkey, clips_call_idx, artifacts_subject_idx.
 */
export const deleteCallRow = statement(
  'delete_call_row',
  `
with clip_files as (
  delete from millrace.artifacts a using millrace.clips c
  where c.tenant_id = $1 and c.call_id = $2::uuid and a.tenant_id = $1 and a.subject_type = 'clip' and a.subject_id = c.id::text
), files as (
  delete from millrace.artifacts where tenant_id = $1 and subject_type = 'call' and subject_id = $2::text
)
delete from millrace.calls where tenant_id = $1 and id = $2::uuid returning title`,
);

export type DeletedCallRow = Columns<Call, 'title'>;
