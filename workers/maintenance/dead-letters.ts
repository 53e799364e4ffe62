import { type Duty, inBatches } from '../../src/core/duty.ts';
import { WATCH_CHANNEL } from '../../src/db/channels.ts';
import type { Database } from '../../src/db/database.ts';
import type { Notifier } from '../../src/db/notifier.ts';
import { deleteDeadLetters } from '../../src/db/sql/maintenance/delete-dead-letters.ts';

const EVERY_MS = 60_000;
const BATCH_SIZE = 500;

export interface DeadLettersDeps {
  readonly database: Database;
  readonly notifier: Pick<Notifier, 'notify'>;
  readonly retentionSeconds: number;
}

/**
 * Deletes dead letters when their time is up, which is another one than that of finished jobs: somebody has
 * to look at them.
 */
export function deadLettersDuty({ database, notifier, retentionSeconds }: DeadLettersDeps): Duty {
  return {
    name: 'dead letters',
    everyMs: EVERY_MS,
    run: async (turn) => ({
      jobs: await inBatches(turn, async () => {
        const { rows } = await database.asWorker<{ deleted: number }>(deleteDeadLetters, [
          retentionSeconds,
          BATCH_SIZE,
        ]);
        const deleted = rows[0]?.deleted ?? 0;
        if (deleted > 0) notifier.notify(WATCH_CHANNEL);
        return { done: deleted, more: deleted === BATCH_SIZE };
      }),
    }),
  };
}
