import type { Duty, Turn } from '../../src/core/duty.ts';
import { toError } from '../../src/core/errors.ts';
import type { MaintenanceQueue } from '../../src/core/maintenance-queue.ts';
import type { ObjectStore } from '../../src/storage/object-store.ts';
import { jobOfPipelineLog, PIPELINE_LOG_PREFIX, pipelineLogKey } from '../../src/storage/pipeline-log-key.ts';
import type { Logger } from '../../src/telemetry/log.ts';

export interface PipelineLogsDeps {
  readonly queue: Pick<MaintenanceQueue, 'findGone'>;
  readonly storage: Pick<ObjectStore, 'list' | 'delete'>;
  readonly log: Logger;
  /** An hour by default. */
  readonly everyMs?: number;
}

/** Files that one statement asks about. */
const BATCH = 500;

/**
 * Deletes log files whose job is deleted, by whatever way it was. The store's listing is looked through, and
 * not the jobs: so a file that was left over, by a crash or by a worker that wrote it as its job was deleted,
 * is found the next time.
 */
export function pipelineLogsDuty({ queue, storage, log, everyMs = 3_600_000 }: PipelineLogsDeps): Duty {
  const sweep = async (jobIds: readonly string[], turn: Turn): Promise<number> => {
    let deleted = 0;
    for (const id of await queue.findGone(jobIds)) {
      if (!turn.goOn()) break;
      try {
        if (await storage.delete(pipelineLogKey(id))) deleted += 1;
      } catch (error) {
        log.warn(
          { job_id: id, reason: toError(error).message },
          'pipeline logs: a file could not be deleted',
        );
      }
    }
    return deleted;
  };
  return {
    name: 'pipeline logs',
    everyMs,
    run: async (turn) => {
      let files = 0;
      let jobIds: string[] = [];
      for await (const { key } of storage.list(PIPELINE_LOG_PREFIX)) {
        if (!turn.goOn()) break;
        const jobId = jobOfPipelineLog(key);
        if (jobId === null || jobIds.push(jobId) < BATCH) continue;
        files += await sweep(jobIds, turn);
        jobIds = [];
      }
      if (jobIds.length > 0 && turn.goOn()) files += await sweep(jobIds, turn);
      return { files };
    },
  };
}
