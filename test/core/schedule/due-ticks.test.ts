import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dueTicks, MISSED_RUNS_POLICIES } from '../../../src/core/schedule/due-ticks.ts';
import { parseCron } from '../../../src/core/schedule/parse-cron.ts';
import {
  dueAt,
  nextTick,
  type Schedule,
  type Timing,
  ticksAfter,
} from '../../../src/core/schedule/schedule.ts';
import { threadCpuMs } from '../../support/thread-cpu.ts';

const at = (text: string): Date => new Date(`2026-11-30T${text}Z`);
const hourly: Timing = {
  kind: 'cron',
  cron: parseCron('0 * * * *'),
  timeZone: 'UTC',
  missingHour: 'after',
  repeatedHour: 'first',
};
const schedule = (timing: Timing, rest: Partial<Schedule> = {}): Schedule => ({
  timing,
  startsAt: null,
  endsAt: null,
  jitterSeconds: 0,
  seed: 'a',
  ...rest,
});
const policy = (missedRuns: (typeof MISSED_RUNS_POLICIES)[number], backfillLimit = 2) => ({
  missedRuns,
  backfillLimit,
});
const hours = (dates: readonly Date[]): string[] => dates.map((date) => date.toISOString().slice(11, 16));

describe('the ticks that a schedule has due', () => {
  test('a tick that is a little late runs whatever the policy', () => {
    for (const missedRuns of MISSED_RUNS_POLICIES) {
      const due = dueTicks(schedule(hourly), at('10:00:00'), at('10:00:59'), policy(missedRuns));
      expect(hours(due.run)).toEqual(['10:00']);
      expect(due.missed).toBeNull();
      expect(due.next).toEqual(at('11:00:00'));
    }
  });

  test('missed ticks are skipped, run once, or made up for up to the limit', () => {
    const ticksBy = (missedRuns: (typeof MISSED_RUNS_POLICIES)[number]) =>
      dueTicks(schedule(hourly), at('06:00:00'), at('10:30:00'), policy(missedRuns));
    expect(hours(ticksBy('skip').run)).toEqual([]);
    expect(ticksBy('skip').missed).toMatchObject({ first: at('06:00:00'), last: at('10:00:00'), count: 5 });
    expect(hours(ticksBy('run_once').run)).toEqual(['10:00']);
    expect(hours(ticksBy('backfill').run)).toEqual(['09:00', '10:00']);
    expect(ticksBy('backfill').missed).toMatchObject({ count: 3, last: at('08:00:00') });
    expect(ticksBy('backfill').next).toEqual(at('11:00:00'));
  });

  test('a tick that is on time stands for the missed ones before it', () => {
    expect(hours(dueTicks(schedule(hourly), at('06:00:00'), at('10:00:10'), policy('run_once')).run)).toEqual(
      ['10:00'],
    );
  });

  test('a schedule of each second comes back after days without looking at each of them', () => {
    const second: Timing = { ...hourly, cron: parseCron('* * * * * *') };
    const startedMs = threadCpuMs();
    const due = dueTicks(
      schedule(second),
      new Date('2026-11-20T00:00:00Z'),
      at('10:00:00'),
      policy('backfill', 100),
    );
    expect(threadCpuMs() - startedMs).toBeLessThan(2_000);
    expect(due.missed).toMatchObject({ first: new Date('2026-11-20T00:00:00Z'), isCounted: false });
    expect(due.run.at(-1)).toEqual(at('10:00:00'));
    expect(due.run).toHaveLength(100 + 61);
    expect(due.next).toEqual(at('10:00:01'));
  });

  test('a one-off runs once and has no next tick', () => {
    const once = schedule({ kind: 'once', at: at('10:00:00') });
    expect(dueTicks(once, at('10:00:00'), at('10:00:01'), policy('run_once'))).toMatchObject({
      run: [at('10:00:00')],
      next: null,
    });
  });

  test('nothing runs before the start or from the end on', () => {
    const bounded = schedule(hourly, { startsAt: at('08:00:00'), endsAt: at('10:00:00') });
    expect(nextTick(bounded, at('03:00:00'))).toEqual(at('08:00:00'));
    expect(hours([...ticksAfter(bounded, at('03:00:00'))].map((run) => run.at))).toEqual(['08:00', '09:00']);
    expect(nextTick(bounded, at('09:00:00'))).toBeNull();
  });

  test('equal distances are counted from the anchor, however late a tick was', () => {
    const every = schedule({ kind: 'every', everySeconds: 90, anchor: at('10:00:00') });
    expect(nextTick(every, at('10:00:00'))).toEqual(at('10:01:30'));
    expect(nextTick(every, at('10:02:59'))).toEqual(at('10:03:00'));
    expect(nextTick(every, at('09:00:00'))).toEqual(at('10:00:00'));
  });

  test('each tick runs exactly once whenever the scheduler looks, and jitter never changes a tick', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4_000 }),
        fc.integer({ min: 0, max: 300 }),
        fc.array(fc.integer({ min: 1, max: 55_000 }), { minLength: 1, maxLength: 40 }),
        (everySeconds, jitterSeconds, stepsMs) => {
          const every = schedule({ kind: 'every', everySeconds, anchor: at('00:00:00') }, { jitterSeconds });
          let now = at('00:00:00');
          let next: Date | null = at('00:00:00');
          const run: number[] = [];
          for (const stepMs of stepsMs) {
            now = new Date(now.getTime() + stepMs);
            if (next === null || dueAt(every, next) > now) continue;
            const due = dueTicks(every, next, now, policy('skip'));
            run.push(...due.run.map((tick) => tick.getTime()));
            next = due.next;
          }
          const expected = run.map((_, index) => at('00:00:00').getTime() + index * everySeconds * 1000);
          // With a jitter over a minute a tick may be held up by the one before it for so long that it counts
          // as missed.
          if (jitterSeconds < everySeconds) expect(run).toEqual(expected);
          expect(new Set(run).size).toBe(run.length);
        },
      ),
    );
  });
});
