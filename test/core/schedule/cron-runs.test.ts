import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CronSchedule, cronRuns, nextCronRun } from '../../../src/core/schedule/cron-runs.ts';
import { parseCron } from '../../../src/core/schedule/parse-cron.ts';
import { oracleRuns, transitionsOf } from '../../support/cron-oracle.ts';

type Policies = Partial<Pick<CronSchedule, 'missingHour' | 'repeatedHour'>>;

const schedule = (cron: string, timeZone: string, policies: Policies = {}): CronSchedule => ({
  cron: parseCron(cron),
  timeZone,
  missingHour: 'after',
  repeatedHour: 'first',
  ...policies,
});

function runs(of: CronSchedule, after: string, count: number): string[] {
  const list: string[] = [];
  for (const { at, clockChange } of cronRuns(of, new Date(after))) {
    list.push(`${at.toISOString().slice(0, 16)}${clockChange === 'none' ? '' : ` ${clockChange}`}`);
    if (list.length === count) break;
  }
  return list;
}

describe('the runs of a cron schedule', () => {
  test('a missing time runs at the first instant after it, or is shown as skipped', () => {
    const rome = schedule('30 2 * * *', 'Europe/Rome');
    expect(runs(rome, '2025-03-29T12:00:00Z', 2)).toEqual(['2025-03-30T01:00 shifted', '2025-03-31T00:30']);
    const skipping = { ...rome, missingHour: 'skip' } as const;
    expect(runs(skipping, '2025-03-29T12:00:00Z', 2)).toEqual([
      '2025-03-30T01:00 skipped',
      '2025-03-31T00:30',
    ]);
    expect(nextCronRun(skipping, new Date('2025-03-29T12:00:00Z'))?.at.toISOString()).toBe(
      '2025-03-31T00:30:00.000Z',
    );
  });

  test('a repeated time runs in its first pass, or in both', () => {
    const newYork = schedule('30 1 * * *', 'America/New_York');
    expect(runs(newYork, '2026-11-01T00:00:00Z', 2)).toEqual([
      '2026-11-01T05:30 repeated_first',
      '2026-11-02T06:30',
    ]);
    const both = { ...newYork, repeatedHour: 'both' } as const;
    expect(runs(both, '2026-11-01T00:00:00Z', 3)).toEqual([
      '2026-11-01T05:30 repeated_first',
      '2026-11-01T06:30 repeated_second',
      '2026-11-02T06:30',
    ]);
    expect(runs(both, '2026-11-01T06:00:00Z', 1)).toEqual(['2026-11-01T06:30 repeated_second']);
    expect(runs(both, '2026-11-01T06:30:00Z', 1)).toEqual(['2026-11-02T06:30']);
    expect(runs(newYork, '2026-11-01T06:00:00Z', 1)).toEqual(['2026-11-02T06:30']);
  });

  // Zones and days at which schedulers of other systems stood still, doubled a run or lost one.
  test.each([
    ['0 * * * *', 'UTC', '2025-10-05T02:00:00Z', ['2025-10-05T03:00']],
    [
      '* * * * *',
      'America/Los_Angeles',
      '2025-11-02T08:59:00Z',
      ['2025-11-02T09:00 repeated_second', '2025-11-02T09:01 repeated_second'],
    ],
    ['0 4 * * 7', 'Europe/Rome', '2025-03-29T12:00:00Z', ['2025-03-30T02:00']],
    [
      '0 0 * * *',
      'America/Sao_Paulo',
      '2014-10-18T12:00:00Z',
      ['2014-10-19T03:00 shifted', '2014-10-20T02:00'],
    ],
    ['0 2 * * *', 'Australia/Lord_Howe', '2023-09-30T12:00:00Z', ['2023-09-30T15:30 shifted']],
    ['0 10 * * *', 'America/Chicago', '2025-03-09T02:00:00Z', ['2025-03-09T15:00']],
    ['* * * * *', 'America/New_York', '2026-11-01T06:30:15Z', ['2026-11-01T06:31 repeated_second']],
    ['0 0 * * 0', 'America/Santiago', '2022-09-10T12:00:00Z', ['2022-09-11T04:00 shifted']],
    [
      '*/30 * * * *',
      'Australia/Melbourne',
      '2024-04-06T15:00:00Z',
      [
        '2024-04-06T15:30 repeated_first',
        '2024-04-06T16:00 repeated_second',
        '2024-04-06T16:30 repeated_second',
        '2024-04-06T17:00',
      ],
    ],
  ])('%s in %s after %s comes at the right instants', (cron, zone, after, expected) => {
    expect(runs(schedule(cron, zone), after, expected.length)).toEqual(expected);
  });

  test.each([
    ['0 9 L * *', ['2026-01-31', '2026-02-28', '2026-03-31']],
    ['0 9 LW * *', ['2026-01-30', '2026-02-27', '2026-03-31']],
    // The 15th of February is a Sunday, that of August a Saturday; a 1st that is a Saturday stays in its
    // month.
    ['0 9 15W 2,8 *', ['2026-02-16', '2026-08-14', '2027-02-15']],
    ['0 9 1W 8 *', ['2026-08-03', '2027-08-02']],
    ['0 9 * * 5L', ['2026-01-30', '2026-02-27', '2026-03-27']],
    ['0 9 * * FRI#2', ['2026-01-09', '2026-02-13', '2026-03-13']],
    ['0 9 * * 1#5', ['2026-03-30', '2026-06-29']],
    ['0 9 29 2 *', ['2028-02-29', '2032-02-29']],
    ['0 9 1-7/3 jan,mar *', ['2026-01-01', '2026-01-04', '2026-01-07', '2026-03-01']],
    ['@monthly', ['2026-01-01', '2026-02-01']],
  ])('%s comes on the right days', (cron, days) => {
    expect(runs(schedule(cron, 'UTC'), '2025-12-31T23:59:00Z', days.length)).toEqual(
      days.map((day) => `${day}T${cron === '@monthly' ? '00' : '09'}:00`),
    );
  });

  test('six fields begin with the seconds', () => {
    const times: string[] = [];
    for (const { at } of cronRuns(schedule('*/20 59 23 * * *', 'UTC'), new Date('2026-01-01T00:00:00Z'))) {
      times.push(at.toISOString().slice(0, 19));
      if (times.length === 4) break;
    }
    expect(times).toEqual([
      '2026-01-01T23:59:00',
      '2026-01-01T23:59:20',
      '2026-01-01T23:59:40',
      '2026-01-02T23:59:00',
    ]);
  });

  test('each second of a repeated hour comes once', () => {
    const all = runs(schedule('* * * * * *', 'Europe/Vienna'), '2025-10-26T00:59:57Z', 6);
    expect(new Set(all).size).toBe(2);
    const [first] = cronRuns(schedule('* * * * * *', 'Europe/Vienna'), new Date('2025-10-26T00:59:59Z'));
    expect(first?.at.toISOString()).toBe('2025-10-26T01:00:00.000Z');
  });

  test('agrees with a walk over all minutes around clock changes of any zone from 1970 to 2040', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    const some = (max: number) => fc.uniqueArray(fc.integer({ min: 0, max }), { minLength: 1, maxLength: 3 });
    const pattern = fc.record({
      minute: fc.oneof(some(59), some(59), fc.constantFrom('*/15', '*/20', '*')),
      hour: fc.oneof(some(23), some(4), fc.constantFrom('*', '*/2')),
      missingHour: fc.constantFrom('after' as const, 'skip' as const),
      repeatedHour: fc.constantFrom('first' as const, 'both' as const),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.nat(),
        pattern,
        (zone, pick, { minute, hour, ...policies }) => {
          const transitions = transitionsOf(zone);
          const center = transitions[pick % Math.max(1, transitions.length)] ?? Date.UTC(2026, 0, 1);
          // Offsets of whole minutes only: cron has no seconds here.
          const from = new Date(center - 13 * 3_600_000);
          const to = new Date(center + 27 * 3_600_000);
          const text = `${typeof minute === 'string' ? minute : minute.join(',')} ${typeof hour === 'string' ? hour : hour.join(',')} * * *`;
          const cron = schedule(text, zone, policies);
          const found: number[] = [];
          for (const { at, clockChange } of cronRuns(cron, new Date(from.getTime() - 1))) {
            if (at >= to) break;
            if (clockChange !== 'skipped') found.push(at.getTime());
          }
          const expected = oracleRuns(
            {
              minutes: values(minute, 60),
              hours: values(hour, 24),
              isFixedTime: cron.cron.isFixedTime,
              ...policies,
            },
            zone,
            from,
            to,
          );
          expect(
            found.map((ms) => new Date(ms).toISOString()),
            `${text} in ${zone}`,
          ).toEqual(expected.map((ms) => new Date(ms).toISOString()));
        },
      ),
      { numRuns: 60 },
    );
  });
});

function values(field: string | number[], size: number): number[] {
  const all = Array.from({ length: size }, (_, value) => value);
  if (typeof field !== 'string') return field;
  const step = Number(field.split('/')[1] ?? 1);
  return all.filter((value) => value % step === 0);
}
