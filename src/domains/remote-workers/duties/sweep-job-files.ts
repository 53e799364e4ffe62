import { type Duty, inBatches } from '../../../core/duty.ts';
import { toError } from '../../../core/errors.ts';
import type { Database } from '../../../db/database.ts';
import type { ObjectStore } from '../../../storage/object-store.ts';
import type { Logger } from '../../../telemetry/log.ts';
import { storedJobFile } from '../files/job-file-room.ts';
import { deleteJobFile } from '../sql/delete-job-file.ts';
import { findJobFilesToSweep, type JobFileToSweepRow } from '../sql/find-job-files-to-sweep.ts';

export interface SweepJobFilesDeps {
  readonly database: Database;
  readonly storage: Pick<ObjectStore, 'stat' | 'delete'>;
  readonly log: Logger;
}

const EVERY_MS = 10_000;
const BATCH = 100;

/**
 * Removes the files of jobs that have been deleted, by retention or with their tenant; and finds out what
 * became of uploads that went to the bucket without passing here. A file whose removal fails is tried again
 * at the next turn.
 */
export function sweepJobFilesDuty({ database, storage, log }: SweepJobFilesDeps): Duty {
  return {
    name: 'job files',
    everyMs: EVERY_MS,
    run: async (turn) => {
      let files = 0;
      await inBatches(turn, async () => {
        const { rows } = await database.asWorker<JobFileToSweepRow>(findJobFilesToSweep, [BATCH]);
        let done = 0;
        for (const { key, is_gone: isGone } of rows) {
          if (!turn.goOn()) break;
          try {
            const stat = isGone ? null : await storage.stat(key);
            if (stat !== null) await storedJobFile({ db: database }, key, stat.sizeBytes);
            else {
              if (isGone) files += Number(await storage.delete(key));
              await database.asWorker(deleteJobFile, [key]);
            }
            done += 1;
          } catch (error) {
            log.warn({ key, reason: toError(error).message }, 'job files: not removed');
          }
        }
        return { done, more: done > 0 && rows.length >= BATCH };
      });
      return { files };
    },
  };
}
