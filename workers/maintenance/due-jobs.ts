import { type Duty, inBatches } from '../../src/core/duty.ts';
import type { MaintenanceQueue } from '../../src/core/maintenance-queue.ts';

const BATCH = 500;
/** Jobs of each lane that one statement makes ready while there is a backlog. */
const EACH = 100;

/**
 * Makes delayed jobs ready when they are due, and notifies workers. Claims do it too, so it only makes them
 * sooner: an idle worker need not look for what no notification announces. While many are due at the same
 * moment each lane has its share.
 */
export function dueJobsDuty(queue: Pick<MaintenanceQueue, 'promoteDue'>): Duty {
  return {
    name: 'due jobs',
    everyMs: 250,
    run: async (turn) => {
      let isBacklog = false;
      const jobs = await inBatches(turn, async () => {
        const done = await (isBacklog ? queue.promoteDue(EACH, 'eachLane') : queue.promoteDue(BATCH, 'all'));
        const more = isBacklog ? done > 0 : done === BATCH;
        isBacklog = true;
        return { done, more };
      });
      return { jobs };
    },
  };
}
