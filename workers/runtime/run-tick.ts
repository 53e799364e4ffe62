import type { ClaimedJob, Finish } from '../../src/core/queue.ts';
import { countFinishes, type TickResult } from '../../src/core/tick.ts';
import type { Claimer } from './claimer.ts';
import type { Run } from './run.ts';
import type { Runs } from './runs.ts';

export interface TickDeps {
  readonly runs: Runs;
  readonly claimer: Claimer;
  /** Takes over what was claimed. */
  readonly take: (jobs: readonly ClaimedJob[]) => readonly Run[];
  readonly isStopped: () => boolean;
}

/** As `RunningWorker.tick`. */
export async function runTick(
  max: number,
  { runs, claimer, take, isStopped }: TickDeps,
): Promise<TickResult> {
  const ends: Promise<Finish | null>[] = [];
  const room = (): number => Math.min(max - ends.length, runs.freeSlots);
  while (ends.length < max && !isStopped()) {
    // Slots that its own runs free are waited for, those of others are not: theirs may take hours.
    if (ends.length > 0) await runs.until(() => runs.freeSlots > 0);
    try {
      const note = (jobs: readonly ClaimedJob[]): void => {
        ends.push(...take(jobs).map((run) => run.whenSettled()));
      };
      if (!(await claimer.claimNow(room, note))) break;
    } catch (error) {
      if (ends.length === 0) throw error;
      break;
    }
  }
  return countFinishes(await Promise.all(ends));
}
