import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { DomainError } from '../../../core/errors.ts';
import type { ClockChange } from '../../../core/schedule/cron-runs.ts';
import { cronInWords } from '../../../core/schedule/cron-words.ts';
import { parseCron } from '../../../core/schedule/parse-cron.ts';
import { type Schedule, ticksAfter } from '../../../core/schedule/schedule.ts';
import { offsetText, wallTimeAt } from '../../../core/schedule/time-zone.ts';
import { scheduleOf } from '../dispatch/row-schedule.ts';
import { checkTrigger } from './check-trigger.ts';
import type { TriggerFields } from './trigger-fields.ts';

const MAX_RUNS = 100;

/** One run of a schedule as a person reads it. */
export interface PreviewedRun {
  readonly at: Date;
  /** In the schedule's zone, with its offset: `2026-03-29T03:00:00+02:00`. */
  readonly localTime: string;
  readonly clockChange: ClockChange;
}

export interface SchedulePreview {
  /** `At 02:30, every day`. */
  readonly words: string;
  readonly timeZone: string;
  readonly runs: readonly PreviewedRun[];
}

/** The times of a schedule, as a trigger has them. */
export type ScheduleTimes = Omit<
  TriggerFields,
  'label' | 'definitionKey' | 'eventName' | 'condition' | 'payloadTemplate'
>;

/**
 * The next runs of a schedule before it is saved, without its jitter. A run that the missing hour skips is
 * shown as `skipped`, and counts.
 * @param after exclusive; now by default
 * @param count 1 to 100
 * @throws DomainError `InvalidArgument`
 */
export const schedulePreview = defineUseCase(
  { name: 'schedulePreview', role: 'member', scope: 'jobs:read', toDo: 'preview schedules' },
  async (
    _deps: unknown,
    _caller: Caller,
    times: ScheduleTimes,
    count: number,
    after: Date = new Date(),
  ): Promise<SchedulePreview> => {
    if (!Number.isInteger(count) || count < 1 || count > MAX_RUNS)
      throw new DomainError('InvalidArgument', `count is ${count}; allowed: 1 to ${MAX_RUNS}.`, {
        field: 'count',
        allowed: `1 to ${MAX_RUNS}`,
      });
    const columns = checkTrigger({ ...times, label: 'preview', definitionKey: 'preview' });
    if (columns.kind === 'event')
      throw new DomainError('InvalidArgument', 'An event has no times.', {
        field: 'cron',
        allowed: 'a schedule',
      });
    const anchor = columns.starts_at ?? new Date(after.getTime() + (columns.every_seconds ?? 0) * 1_000);
    const schedule = scheduleOf({ id: 'preview', ...columns }, anchor);
    const runs = runsAfter(schedule, after, columns.time_zone, count);
    return { words: inWords(columns), timeZone: columns.time_zone, runs };
  },
);

/** @param after exclusive */
export function runsAfter(
  schedule: Schedule,
  after: Date,
  timeZone: string,
  count: number,
): readonly PreviewedRun[] {
  const runs: PreviewedRun[] = [];
  for (const { at, clockChange } of ticksAfter(schedule, after)) {
    const { local, offsetSeconds } = wallTimeAt(at, timeZone);
    runs.push({ at, localTime: `${local}${offsetText(offsetSeconds)}`, clockChange });
    if (runs.length === count) break;
  }
  return runs;
}

/** A schedule's times in words. */
export function inWords(times: {
  readonly cron: string | null;
  readonly every_seconds: number | null;
  readonly run_at: Date | null;
}): string {
  if (times.cron !== null) return cronInWords(parseCron(times.cron));
  if (times.every_seconds !== null)
    return times.every_seconds === 1 ? 'Every second' : `Every ${times.every_seconds} seconds`;
  return `Once, at ${times.run_at?.toISOString() ?? 'no time'}`;
}
