import { dueAt, nextTick, type Schedule, ticksAfter } from './schedule.ts';

/** What becomes of ticks that no scheduler was there for. */
export const MISSED_RUNS_POLICIES = ['skip', 'run_once', 'backfill'] as const;
export type MissedRunsPolicy = (typeof MISSED_RUNS_POLICIES)[number];

/** A tick that is later than this was missed; until then it is merely late, and runs whatever the policy. */
export const MISSED_AFTER_SECONDS = 60;

/**
 * Looked at one by one; a schedule of each second has more of them after half an hour without a scheduler.
 */
const MAX_LOOKED_AT = 2_000;

export interface DueTicks {
  /** Ticks to enqueue, in order. */
  readonly run: readonly Date[];
  /** The first and the last one that the policy drops, and how many were seen; null when there is none. */
  readonly missed: {
    readonly first: Date;
    readonly last: Date;
    readonly count: number;
    readonly isCounted: boolean;
  } | null;
  /** The next tick after now; null when there is none any more. */
  readonly next: Date | null;
}

/**
 * What a schedule has to do at a time, all ticks from its next one on that are due.
 * @param nextAt the tick that the schedule waits for
 * @param now by the database's clock
 * @param backfillLimit of the missed ticks, how many of the last ones run by policy `backfill`
 */
export function dueTicks(
  schedule: Schedule,
  nextAt: Date,
  now: Date,
  { missedRuns, backfillLimit }: { readonly missedRuns: MissedRunsPolicy; readonly backfillLimit: number },
): DueTicks {
  const { ticks, isWhole, next } = collect(schedule, nextAt, now, backfillLimit);
  const missedBefore = now.getTime() - MISSED_AFTER_SECONDS * 1000;
  const missed = ticks.filter((tick) => dueAt(schedule, tick).getTime() < missedBefore);
  const onTime = ticks.slice(missed.length);
  const kept = keptOf(missed, onTime.length > 0, missedRuns, backfillLimit);
  const dropped = missed.slice(0, missed.length - kept.length);
  const last = dropped.at(-1);
  return {
    run: [...kept, ...onTime],
    missed: last === undefined ? null : { first: nextAt, last, count: dropped.length, isCounted: isWhole },
    next,
  };
}

function keptOf(
  missed: readonly Date[],
  hasOnTime: boolean,
  policy: MissedRunsPolicy,
  limit: number,
): readonly Date[] {
  if (policy === 'backfill') return missed.slice(-limit);
  // The one that is due now stands for all before it.
  return policy === 'run_once' && !hasOnTime ? missed.slice(-1) : [];
}

/** The due ticks; of very many the last ones, enough for any policy. */
function collect(
  schedule: Schedule,
  nextAt: Date,
  now: Date,
  backfillLimit: number,
): { readonly ticks: readonly Date[]; readonly isWhole: boolean; readonly next: Date | null } {
  let ticks: Date[] = [];
  let from = new Date(nextAt.getTime() - 1);
  for (let isWhole = true; ; isWhole = false) {
    ticks = [];
    let next: Date | null = null;
    for (const { at, clockChange } of ticksAfter(schedule, from)) {
      if (clockChange === 'skipped') continue;
      // In order of their own times: one whose jitter is not over holds up those after it, and never the
      // other way round.
      if (dueAt(schedule, at) > now || ticks.length === MAX_LOOKED_AT) {
        next = at;
        break;
      }
      ticks.push(at);
    }
    const [first] = ticks;
    if (ticks.length < MAX_LOOKED_AT || first === undefined || next === null) return { ticks, isWhole, next };
    // Too many to look at: on to the last ones, as dense as the first ones were, and at least those that are
    // not missed yet.
    const spanMs = (next.getTime() - first.getTime()) / ticks.length;
    const reachMs = Math.max(
      2 * MISSED_AFTER_SECONDS * 1000 + schedule.jitterSeconds * 1000,
      2 * spanMs * backfillLimit,
    );
    const later = new Date(now.getTime() - reachMs);
    if (later <= from || !isWhole) return { ticks, isWhole, next: nextTick(schedule, ticks.at(-1) ?? now) };
    from = later;
  }
}
