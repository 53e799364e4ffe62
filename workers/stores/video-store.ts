import type { Job } from '../../src/core/job.ts';
import type { Lease } from '../../src/core/queue.ts';
import type { Database } from '../../src/db/database.ts';
import { beginTranscode } from '../../src/db/sql/domain/begin-transcode.ts';
import type { VideoStore } from '../stores.ts';
import { hold } from './hold.ts';

/** The row of one job's video. Works as the API role with the job's tenant, and commits only while the run has its lease. */
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
