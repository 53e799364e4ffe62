import { type Duty, inBatches } from '../../src/core/duty.ts';
import type { Database } from '../../src/db/database.ts';
import type { Notifier } from '../../src/db/notifier.ts';
import { repairDependents } from '../../src/queue/dependencies-repair.ts';
import { expireJobs, finishPendingCancels } from '../../src/queue/pending-cancel-finisher.ts';
import type { Gauges } from '../../src/telemetry/gauges.ts';
import type { Logger } from '../../src/telemetry/log.ts';

export interface SweepDeps {
  readonly database: Database;
  readonly notifier: Pick<Notifier, 'notify'>;
  readonly gauges: Gauges;
  readonly log: Logger;
}

const BATCH = 500;
const LOOKED_AT = 5_000;

/** Ends what has not begun by its `expiresAt`, and what is doomed and was left over by whoever doomed it. */
export function expiryDuty({ database, notifier }: SweepDeps, everyMs: number): Duty {
  return {
    name: 'expiry',
    everyMs,
    run: async (turn) => {
      const expired = await inBatches(turn, async () => {
        const done = await expireJobs(database, notifier, BATCH);
        return { done, more: done === BATCH };
      });
      const pendingCancels = await inBatches(turn, async () => {
        const done = await finishPendingCancels(database, notifier, BATCH);
        return { done, more: done === BATCH };
      });
      return { expired, pendingCancels };
    },
  };
}

/**
 * A net under the settling transactions: lets go jobs that wait for others that have all ended. It should never find any. Each
 * turn looks at some of those that wait and goes on where the last one stopped.
 */
export function dependentsDuty({ database, notifier, gauges, log }: SweepDeps): Duty {
  let total = 0;
  let after: string | null = null;
  return {
    name: 'repair dependents',
    everyMs: 10_000,
    run: async () => {
      const { repairedCount: repaired, next } = await repairDependents(database, notifier, LOOKED_AT, after);
      after = next;
      total += repaired;
      gauges.set(
        'millrace_repaired_dependents',
        'Jobs that waited although all that they waited for had ended, since this process began; always 0 when all is well.',
        total,
      );
      if (repaired > 0) log.warn({ jobs: repaired }, 'dependents: some waited for jobs that had all ended');
      return { repaired };
    },
  };
}
