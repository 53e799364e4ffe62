import { type Duty, inBatches } from '../../src/core/duty.ts';
import type { Bell } from '../../src/db/bell.ts';
import type { Database } from '../../src/db/database.ts';
import { repairDependents } from '../../src/queue/dependencies-repair.ts';
import { endDoomedJobs, expireJobs } from '../../src/queue/doomed.ts';
import type { Gauges } from '../../src/telemetry/gauges.ts';
import type { Logger } from '../../src/telemetry/log.ts';

export interface SweepDeps {
  readonly database: Database;
  readonly bell: Pick<Bell, 'ring'>;
  readonly gauges: Gauges;
  readonly log: Logger;
}

const BATCH = 500;
const LOOKED_AT = 5_000;

/** Ends what has not begun by its `expiresAt`, and what is doomed and was left over by whoever doomed it. */
export function expiryDuty({ database, bell }: SweepDeps, everyMs: number): Duty {
  return {
    name: 'expiry',
    everyMs,
    run: async (turn) => {
      const expired = await inBatches(turn, async () => {
        const done = await expireJobs(database, bell, BATCH);
        return { done, more: done === BATCH };
      });
      const doomed = await inBatches(turn, async () => {
        const done = await endDoomedJobs(database, bell, BATCH);
        return { done, more: done === BATCH };
      });
      return { expired, doomed };
    },
  };
}

/**
 * A net under the settling transactions: lets go jobs that wait for others that have all ended. It should never find any. Each
 * turn looks at some of those that wait and goes on where the last one stopped.
 */
export function dependentsDuty({ database, bell, gauges, log }: SweepDeps): Duty {
  let total = 0;
  let after: string | null = null;
  return {
    name: 'repair dependents',
    everyMs: 10_000,
    run: async () => {
      const { repairedCount: repaired, next } = await repairDependents(database, bell, LOOKED_AT, after);
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
