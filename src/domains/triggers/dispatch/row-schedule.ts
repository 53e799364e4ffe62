import { MadeOnce } from '../../../core/made-once.ts';
import { type CronExpression, parseCron } from '../../../core/schedule/parse-cron.ts';
import type { Schedule, Timing } from '../../../core/schedule/schedule.ts';

/** The columns of a trigger that say when it runs. */
export interface ScheduleColumns {
  readonly id: string;
  readonly cron: string | null;
  readonly every_seconds: number | null;
  readonly run_at: Date | null;
  readonly time_zone: string;
  readonly missing_hour: 'after' | 'skip';
  readonly repeated_hour: 'first' | 'both';
  readonly jitter_seconds: number;
  readonly starts_at: Date | null;
  readonly ends_at: Date | null;
}

/** @param anchor one tick of a schedule of equal distances */
export function scheduleOf(row: ScheduleColumns, anchor: Date): Schedule {
  return {
    timing: timingOf(row, anchor),
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    jitterSeconds: row.jitter_seconds,
    seed: row.id,
  };
}

function timingOf(row: ScheduleColumns, anchor: Date): Timing {
  if (row.run_at !== null) return { kind: 'once', at: row.run_at };
  if (row.every_seconds !== null) return { kind: 'every', everySeconds: row.every_seconds, anchor };
  return {
    kind: 'cron',
    cron: cronOf(row.cron ?? ''),
    timeZone: row.time_zone,
    missingHour: row.missing_hour,
    repeatedHour: row.repeated_hour,
  };
}

/**
 * Expressions that were read before: schedules of one minute have few different ones, and reading one takes
 * some 0.1 ms.
 */
const expressions = new MadeOnce<CronExpression>(5_000);

const cronOf = (text: string): CronExpression => expressions.get(text, () => parseCron(text));
