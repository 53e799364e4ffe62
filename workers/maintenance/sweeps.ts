import { type Duty, inBatches } from '../../src/core/duty.ts';
import type { MaintenanceQueue } from '../../src/core/queue.ts';
import type { Gauges } from '../../src/telemetry/gauges.ts';
import type { Logger } from '../../src/telemetry/log.ts';

export interface SweepDeps {
  readonly queue: Pick<MaintenanceQueue, 'expire' | 'finishPendingCancels' | 'repairDependents'>;
  readonly gauges: Gauges;
  readonly log: Logger;
}

const BATCH = 500;
const LOOKED_AT = 5_000;

/** Ends what has not begun by its `expiresAt`, and pending cancels that their callers left over. */
export function expiryDuty({ queue }: SweepDeps, everyMs: number): Duty {
  return {
    name: 'expiry',
    everyMs,
    run: async (turn) => {
      const expired = await inBatches(turn, async () => {
        const done = await queue.expire(BATCH);
        return { done, more: done === BATCH };
      });
      const pendingCancels = await inBatches(turn, async () => {
        const done = await queue.finishPendingCancels(BATCH);
        return { done, more: done === BATCH };
      });
      return { expired, pendingCancels };
    },
  };
}

/**
 * A net under the settling transactions: releases jobs that wait for others that have all ended. It should
 * never find any. Each turn looks at some of those that wait and goes on where the last one stopped.
 */
export function dependentsDuty({ queue, gauges, log }: SweepDeps): Duty {
  let total = 0;
  let after: string | null = null;
  return {
    name: 'repair dependents',
    everyMs: 10_000,
    run: async () => {
      const { repairedCount: repaired, next } = await queue.repairDependents(LOOKED_AT, after);
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
