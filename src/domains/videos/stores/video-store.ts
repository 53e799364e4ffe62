import type { Job } from '../../../core/job.ts';
import type { Lease } from '../../../core/queue.ts';
import type { Database } from '../../../db/database.ts';
import { hold } from '../../../db/hold-lease.ts';
import { beginTranscode } from '../sql/begin-transcode.ts';
import type { VideoStore } from './contract.ts';

/**
 * The row of one job's video. Works as the API role with the job's tenant, and commits only while the run has
 * its lease.
 */
export function createVideoStore(database: Database, job: Job, lease: Lease): VideoStore {
  const { tenantId, subject } = job;
  return {
    begin: async () => {
      if (subject?.type !== 'video') return;
      await database.transaction({ role: 'api', tenantId, endsWhenFrozen: true }, async (tx) => {
        const { rowCount } = await tx.query(beginTranscode, [tenantId, subject.id]);
        // Last, since the row is locked from here on and a locked lease is not renewed.
        if (rowCount === 1) await hold(tx, tenantId, lease);
      });
    },
  };
}
