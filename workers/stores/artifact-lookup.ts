import type { Job } from '../../src/core/job.ts';
import type { Database } from '../../src/db/database.ts';
import { type ArtifactRow, findArtifacts } from '../../src/db/sql/worker/find-artifacts.ts';
import type { ArtifactLookup } from '../handler.ts';

/**
 * What earlier runs have published for a job's subject. Read as the API role with the job's tenant: a handler must not see
 * another tenant's rows, whatever its payload says. A job without a subject has none.
 */
export function createArtifactLookup(
  database: Database,
  job: Pick<Job, 'tenantId' | 'subject'>,
): ArtifactLookup {
  return {
    find: async (kind, subject = job.subject ?? undefined) => {
      const { tenantId } = job;
      if (subject === undefined) return [];
      const { rows } = await database.transaction({ role: 'api', tenantId, readOnly: true }, (tx) =>
        tx.query<ArtifactRow>(findArtifacts, [tenantId, subject.type, subject.id, kind ?? null]),
      );
      return rows.map((row) => ({
        kind: row.kind,
        key: row.key,
        sizeBytes: row.size_bytes,
        sha256: row.sha256,
        contentType: row.content_type,
        metadata: row.metadata,
      }));
    },
  };
}
