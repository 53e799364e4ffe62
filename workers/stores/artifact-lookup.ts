import type { Job } from '../../src/core/job.ts';
import type { RunRecords } from '../../src/core/run-records.ts';
import type { ArtifactLookup } from '../handler.ts';

/**
 * What earlier runs have published for a job's subject, in the job's tenant: a handler must not see another
 * tenant's rows, whatever its payload says. A job without a subject has none.
 */
export function createArtifactLookup(
  queue: Pick<RunRecords, 'findArtifacts'>,
  job: Pick<Job, 'tenantId' | 'subject'>,
): ArtifactLookup {
  return {
    find: async (kind, subject = job.subject ?? undefined) =>
      subject === undefined ? [] : queue.findArtifacts(job.tenantId, subject, kind ?? null),
  };
}
