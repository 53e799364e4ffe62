import { type Duty, inBatches } from '../../src/core/duty.ts';
import type { MaintenanceQueue } from '../../src/core/maintenance-queue.ts';

const EVERY_MS = 60_000;
const BATCH_SIZE = 500;

export interface DeadLettersDeps {
  readonly queue: Pick<MaintenanceQueue, 'deleteDeadLetters'>;
  readonly retentionSeconds: number;
}

/**
 * Deletes dead letters when their time is up, which is another one than that of finished jobs: somebody has
 * to look at them.
 */
export function deadLettersDuty({ queue, retentionSeconds }: DeadLettersDeps): Duty {
  return {
    name: 'dead letters',
    everyMs: EVERY_MS,
    run: async (turn) => ({
      jobs: await inBatches(turn, async () => {
        const deleted = await queue.deleteDeadLetters(retentionSeconds, BATCH_SIZE);
        return { done: deleted, more: deleted === BATCH_SIZE };
      }),
    }),
  };
}
