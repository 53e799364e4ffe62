import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Artifact } from '../../../generated/prisma/client.ts';

/** What lies in the store of calls. Locks nothing. Index: artifacts_subject_idx. */
export const findCallArtifacts = statement(
  'find_call_artifacts',
  `
select subject_id as "callId", kind, key, size_bytes::float8 as "sizeBytes", sha256, content_type as "contentType"
from millrace.artifacts
where tenant_id = $1 and subject_type = 'call' and subject_id = any ($2::text[])
order by subject_id, key`,
);

export interface CallArtifactRow extends Columns<Artifact, 'kind' | 'key' | 'sha256'> {
  readonly callId: string;
  readonly sizeBytes: number;
  readonly contentType: string;
}
