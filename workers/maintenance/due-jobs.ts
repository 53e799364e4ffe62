import { type Duty, inBatches } from '../../src/core/duty.ts';
import { WORK_CHANNEL } from '../../src/db/channels.ts';
import type { Database } from '../../src/db/database.ts';
import type { Notifier } from '../../src/db/notifier.ts';
import { type PromotedRow, promoteDueJobs } from '../../src/db/sql/maintenance/promote-due-jobs.ts';
import { promoteDueLanes } from '../../src/db/sql/maintenance/promote-due-lanes.ts';

const BATCH = 500;
/** Jobs of each lane that one statement makes ready while there is a backlog. */
const EACH = 100;

/**
 * Makes delayed jobs ready when they are due, and notifies workers. Claims do it too, so it only makes them
 * sooner: an idle worker need not look for what no notification announces. While many are due at the same
 * moment each lane has its share.
 */
export function dueJobsDuty(database: Database, notifier: Pick<Notifier, 'notify'>): Duty {
  return {
    name: 'due jobs',
    everyMs: 250,
    run: async (turn) => {
      let statement = promoteDueJobs;
      const jobs = await inBatches(turn, async () => {
        const { rows } = await database.asWorker<PromotedRow>(statement, [
          statement === promoteDueJobs ? BATCH : EACH,
        ]);
        const done = rows[0]?.promoted ?? 0;
        if (done > 0) notifier.notify(WORK_CHANNEL, `/${done}`);
        const more = statement === promoteDueJobs ? done === BATCH : done > 0;
        statement = promoteDueLanes;
        return { done, more };
      });
      return { jobs };
    },
  };
}
