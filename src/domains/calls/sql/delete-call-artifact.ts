import { statement } from '../../../db/statement.ts';

/** Takes an object of a call off its artifacts. Locks the row. Index: artifacts_tenant_id_key_key. */
export const deleteCallArtifact = statement(
  'delete_call_artifact',
  `delete from millrace.artifacts where tenant_id = $1 and key = $2 and subject_type = 'call' and subject_id = $3`,
);
