import { describe, expect, it } from 'vitest';
import { previewAfter, timesOf, timingOf } from '../../console/triggers/timing.ts';

const NONE = { cron: null, everySeconds: null, runAt: null };

describe('the times of a schedule in its form', () => {
  it('keep a moment to its millisecond while it is not touched, and are none of it while it is empty', () => {
    const runAt = '2099-02-03T04:05:06.789Z';
    const timing = timingOf({ ...NONE, runAt });
    expect(timing.kind).toBe('once');
    expect(timesOf(timing, { ...NONE, runAt })).toEqual({ ...NONE, runAt });
    const later = new Date(2099, 1, 3, 5, 6, 7);
    expect(timesOf({ ...timing, runAtText: '2099-02-03T05:06:07' }, { ...NONE, runAt })).toEqual({
      ...NONE,
      runAt: later.toISOString(),
    });
    expect(timesOf({ ...timing, runAtText: '' }, { ...NONE, runAt })).toEqual(NONE);
  });

  it('are previewed from the run that is waited for while equal distances stay as they are, and from now on otherwise', () => {
    const rules = {
      ...{ ...NONE, everySeconds: 90 },
      ...({ timeZone: 'UTC', missingHour: 'AFTER', repeatedHour: 'FIRST' } as const),
    };
    const nextRuns = [{ scheduledAt: '2099-01-01T00:01:30.000Z', clockChange: 'NONE' }] as const;
    const schedule = { ...rules, isEnabled: true, nextRuns: [...nextRuns] };
    expect(previewAfter(rules, schedule)).toBe('2099-01-01T00:00:00.000Z');
    expect(previewAfter({ ...rules, everySeconds: 60 }, schedule)).toBeUndefined();
    expect(previewAfter({ ...rules, timeZone: 'Asia/Tokyo' }, schedule)).toBeUndefined();
    expect(previewAfter(rules, { ...schedule, isEnabled: false })).toBeUndefined();
    expect(previewAfter(rules, { ...schedule, nextRuns: [] })).toBeUndefined();
    expect(previewAfter(rules, null)).toBeUndefined();
    const cron = { ...rules, everySeconds: null, cron: '0 9 * * *' };
    expect(previewAfter(cron, { ...schedule, ...cron })).toBeUndefined();
  });
});
