import { Cron } from 'croner';
import { MadeOnce } from '../made-once.ts';
import type { CronExpression } from './parse-cron.ts';
import { wallTimeAt } from './time-zone.ts';

/** What happens to a run whose local time does not exist on the day when clocks go forward. */
export const MISSING_HOUR_POLICIES = ['after', 'skip'] as const;
export type MissingHourPolicy = (typeof MISSING_HOUR_POLICIES)[number];

/** What happens to a run whose local time comes twice on the day when clocks go back. */
export const REPEATED_HOUR_POLICIES = ['first', 'both'] as const;
export type RepeatedHourPolicy = (typeof REPEATED_HOUR_POLICIES)[number];

/**
 * A cron expression in its zone. The two policies apply to fixed times (`30 2 * * *`). An expression with a
 * wildcard or a step in its times (`*\/15 * * * *`) goes by elapsed time: it runs in both passes of a
 * repeated hour, and not at times that do not exist.
 */
export interface CronSchedule {
  readonly cron: CronExpression;
  readonly timeZone: string;
  /** `after` runs at the first instant that exists. */
  readonly missingHour: MissingHourPolicy;
  readonly repeatedHour: RepeatedHourPolicy;
}

/** How a change of the clock touches one run. */
export type ClockChange = 'none' | 'shifted' | 'skipped' | 'repeated_first' | 'repeated_second';

export interface CronRun {
  readonly at: Date;
  readonly clockChange: ClockChange;
}

/**
 * Longer than any repeated stretch of local time that a zone has had since 1970, a whole day apart (zones
 * that crossed the date line).
 */
const LONGEST_REPEAT_MS = 3 * 3_600_000;
const DAY_MS = 86_400_000;

/**
 * The runs of a schedule after an instant, in order, without end. A run that the policy skips is among them
 * as `skipped`, at the first instant after the missing stretch, so that a preview can show it; `nextCronRun`
 * leaves it out.
 * @param after exclusive
 */
export function* cronRuns(schedule: CronSchedule, after: Date): Generator<CronRun, void, undefined> {
  const cron = cronFor(schedule);
  const { isFixedTime } = schedule.cron;
  // A second pass after `after` may belong to a first pass before it.
  let from =
    isFixedTime && schedule.repeatedHour === 'both' ? new Date(after.getTime() - LONGEST_REPEAT_MS) : after;
  let seconds: Date[] = [];
  for (;;) {
    const at = cron.nextRun(from);
    while (seconds[0] !== undefined && (at === null || seconds[0] < at)) {
      const second = seconds.shift() as Date;
      if (second > after) yield { at: second, clockChange: 'repeated_second' };
    }
    if (at === null) return;
    from = at;
    const second = secondPass(at, schedule.timeZone);
    const run = { at, clockChange: changeOf(schedule, cron, at, second) };
    if (second !== undefined && isFixedTime && schedule.repeatedHour === 'both')
      seconds = [...seconds, second].sort((a, b) => a.getTime() - b.getTime());
    if (at > after) yield run;
  }
}

/** The first run after an instant that takes place; undefined when there is none. */
export function nextCronRun(schedule: CronSchedule, after: Date): CronRun | undefined {
  for (const run of cronRuns(schedule, after)) if (run.clockChange !== 'skipped') return run;
  return undefined;
}

function changeOf(schedule: CronSchedule, cron: Cron, at: Date, second: Date | undefined): ClockChange {
  // Only a fixed time that does not exist is moved, to an instant that the pattern does not match.
  if (schedule.cron.isFixedTime && !cron.match(at))
    return schedule.missingHour === 'skip' ? 'skipped' : 'shifted';
  if (second !== undefined) return 'repeated_first';
  return firstPass(at, schedule.timeZone) === undefined ? 'none' : 'repeated_second';
}

/** The later instant with the same local time, where clocks go back between the two. */
function secondPass(at: Date, timeZone: string): Date | undefined {
  return twin(at, timeZone, 1);
}

function firstPass(at: Date, timeZone: string): Date | undefined {
  return twin(at, timeZone, -1);
}

function twin(at: Date, timeZone: string, direction: 1 | -1): Date | undefined {
  const here = wallTimeAt(at, timeZone);
  for (const reachMs of [LONGEST_REPEAT_MS, DAY_MS]) {
    const there = wallTimeAt(new Date(at.getTime() + direction * reachMs), timeZone);
    const gainSeconds = (here.offsetSeconds - there.offsetSeconds) * direction;
    if (gainSeconds <= 0) continue;
    const other = new Date(at.getTime() + direction * gainSeconds * 1000);
    if (wallTimeAt(other, timeZone).local === here.local) return other;
  }
  return undefined;
}

/** Parsing costs about 100 µs; many schedules share one expression and zone. */
const crons = new MadeOnce<Cron>(2000);

function cronFor({ cron, timeZone }: CronSchedule): Cron {
  return crons.get(
    `${timeZone} ${cron.text}`,
    () =>
      new Cron(cron.text, {
        mode: '5-or-6-parts',
        timezone: timeZone,
        fixedTimeRule: 'no-wildcard',
      }),
  );
}
