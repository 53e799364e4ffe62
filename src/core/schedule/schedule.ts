import { type CronRun, type CronSchedule, cronRuns } from './cron-runs.ts';

/** When something runs: by a cron expression, at equal distances, or once. */
export type Timing =
  | ({ readonly kind: 'cron' } & CronSchedule)
  /** `anchor`: one of the times, from which the others are counted. */
  | { readonly kind: 'every'; readonly everySeconds: number; readonly anchor: Date }
  | { readonly kind: 'once'; readonly at: Date };

/** A timing with its bounds and its spread. */
export interface Schedule {
  readonly timing: Timing;
  /** Inclusive. */
  readonly startsAt: Date | null;
  /** Exclusive. */
  readonly endsAt: Date | null;
  /** Each tick is put off by 0 to this many seconds, always by the same for the same tick. */
  readonly jitterSeconds: number;
  /** Makes the jitter of two schedules differ: their id. */
  readonly seed: string;
}

/**
 * The ticks after an instant, in order, within the schedule's bounds; those that the missing hour skips are
 * among them as `skipped`.
 */
export function* ticksAfter(
  { timing, startsAt, endsAt }: Schedule,
  after: Date,
): Generator<CronRun, void, undefined> {
  const from = startsAt !== null && startsAt > after ? new Date(startsAt.getTime() - 1) : after;
  for (const run of timingRuns(timing, from)) {
    if (endsAt !== null && run.at >= endsAt) return;
    yield run;
  }
}

/** The first tick after an instant that takes place, or null. */
export function nextTick(schedule: Schedule, after: Date): Date | null {
  for (const { at, clockChange } of ticksAfter(schedule, after)) if (clockChange !== 'skipped') return at;
  return null;
}

/** When a tick is enqueued: its time and its jitter. */
export function dueAt({ jitterSeconds, seed }: Pick<Schedule, 'jitterSeconds' | 'seed'>, tick: Date): Date {
  if (jitterSeconds === 0) return tick;
  return new Date(
    tick.getTime() + Math.floor((hash32(`${seed} ${tick.getTime()}`) / 2 ** 32) * jitterSeconds * 1000),
  );
}

/**
 * FNV-1a with MurmurHash3's finalizer, so that neighbouring ticks get jitters far from each other. Nothing
 * secret depends on it.
 */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function* timingRuns(timing: Timing, after: Date): Generator<CronRun, void, undefined> {
  switch (timing.kind) {
    case 'cron':
      yield* cronRuns(timing, after);
      return;
    case 'once':
      if (timing.at > after) yield { at: timing.at, clockChange: 'none' };
      return;
    case 'every': {
      const stepMs = timing.everySeconds * 1000;
      const anchorMs = timing.anchor.getTime();
      const steps = Math.floor((after.getTime() - anchorMs) / stepMs) + 1;
      for (let ms = anchorMs + Math.max(0, steps) * stepMs; ; ms += stepMs)
        yield { at: new Date(ms), clockChange: 'none' };
    }
  }
}
