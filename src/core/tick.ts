import { DomainError } from './errors.ts';
import type { Finish } from './queue.ts';

/** What the runs of one tick came to; every count but `claimed` is a part of it. */
export interface TickResult {
  readonly claimed: number;
  readonly succeeded: number;
  /** Ended for good by an error: `failed` or `dead_letter`. */
  readonly failed: number;
  /** Back in the queue after an error, to be tried again later. */
  readonly retried: number;
  readonly snoozed: number;
  readonly canceled: number;
  /** Back in the queue with nothing spent, because the process stops. */
  readonly handedBack: number;
  /** Nothing was written: the lease was lost, or the database stayed away. */
  readonly lost: number;
}

/** Runs one tick of at most `max` jobs; see `RunningWorker.tick`. */
export type RunTick = (max: number) => Promise<TickResult>;

/** Jobs of one tick: 1 to this many. */
export const MAX_TICK_JOBS = 100;
export const DEFAULT_TICK_JOBS = 10;

/** @throws DomainError `InvalidArgument` unless it is a whole number from 1 to 100 */
export function checkTickSize(max: unknown): number {
  if (typeof max === 'number' && Number.isInteger(max) && max >= 1 && max <= MAX_TICK_JOBS) return max;
  const allowed = `a whole number from 1 to ${MAX_TICK_JOBS}`;
  const shown = (JSON.stringify(max) ?? String(max)).slice(0, 80);
  throw new DomainError('InvalidArgument', `max is ${shown}; allowed: ${allowed}.`, {
    field: 'max',
    allowed,
  });
}

/** Adds up how the runs of a tick ended; null is a run of which nothing was written. */
export function countFinishes(finishes: readonly (Finish | null)[]): TickResult {
  const ends = finishes.map(endOf);
  const count = (end: ReturnType<typeof endOf>): number => ends.filter((one) => one === end).length;
  return {
    claimed: ends.length,
    succeeded: count('succeeded'),
    failed: count('failed'),
    retried: count('retry'),
    snoozed: count('snooze'),
    canceled: count('canceled'),
    handedBack: count('handBack'),
    lost: count('lost'),
  };
}

function endOf(finish: Finish | null) {
  if (finish === null) return 'lost';
  if (finish.kind !== 'final') return finish.kind;
  const { status } = finish.settlement;
  return status === 'dead_letter' ? 'failed' : status;
}
