import type { Artifact } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * Artifacts of one subject, of one kind where $4 is given. Locks nothing. Index: artifacts_subject_idx.
 */
export const findArtifacts = statement(
  'find_artifacts',
  `
select kind, key, size_bytes::float8 as size_bytes, sha256, content_type, metadata
from millrace.artifacts
where tenant_id = $1 and subject_type = $2 and subject_id = $3 and ($4::text is null or kind = $4)
order by key`,
);

export interface ArtifactRow
  extends Columns<Artifact, 'kind' | 'key' | 'sha256' | 'content_type' | 'metadata'> {
  readonly size_bytes: number;
  readonly metadata: Record<string, unknown>;
}
