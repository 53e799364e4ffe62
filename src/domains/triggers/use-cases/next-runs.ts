import { DomainError } from '../../../core/errors.ts';
import type { TriggerRow } from '../../../db/prisma.ts';
import { scheduleOf } from '../dispatch/row-schedule.ts';
import { type PreviewedRun, runsAfter } from './schedule-preview.ts';

const MAX_RUNS = 20;

/**
 * The runs to come of a schedule that is stored, from the next one on, without its jitter. None of one that
 * is disabled or has no run left, and none of an event trigger.
 * @param count 1 to 20
 * @throws DomainError `InvalidArgument`
 */
export function nextRunsOf(row: TriggerRow, count: number): readonly PreviewedRun[] {
  const allowed = `1 to ${MAX_RUNS}`;
  if (!Number.isInteger(count) || count < 1 || count > MAX_RUNS)
    throw new DomainError('InvalidArgument', `count is ${count}; allowed: ${allowed}.`, {
      field: 'count',
      allowed,
    });
  if (row.kind === 'event' || !row.isEnabled || row.nextAt === null) return [];
  const schedule = scheduleOf(
    {
      id: row.id,
      cron: row.cron,
      every_seconds: row.everySeconds,
      run_at: row.runAt,
      time_zone: row.timeZone,
      missing_hour: row.missingHour as 'after' | 'skip',
      repeated_hour: row.repeatedHour as 'first' | 'both',
      jitter_seconds: row.jitterSeconds,
      starts_at: row.startsAt,
      ends_at: row.endsAt,
    },
    row.nextAt,
  );
  return runsAfter(schedule, new Date(row.nextAt.getTime() - 1), row.timeZone, count);
}
