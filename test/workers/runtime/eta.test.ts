import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Eta } from '../../../workers/runtime/eta.ts';
import { NotedProgress } from '../../../workers/runtime/noted-progress.ts';

/** Updates at a steady pace: percent at each second. */
function steady(percentPerSecond: number, seconds: number): { eta: Eta; nowMs: number } {
  const eta = new Eta();
  for (let second = 0; second <= seconds; second++) eta.note(percentPerSecond * second, 1_000 * second);
  return { eta, nowMs: 1_000 * seconds };
}

test('at a steady pace it is what is left divided by the pace, and counts down between updates', () => {
  const { eta, nowMs } = steady(2, 10);
  expect(eta.seconds(nowMs)).toBe(40);
  expect(eta.seconds(nowMs + 5_000)).toBe(35);
  expect(eta.seconds(nowMs + 60_000)).toBe(0);
});

test('there is none before the percent has grown, and none while it is unknown; at 100 it is 0', () => {
  const eta = new Eta();
  expect(eta.seconds(0)).toBeNull();
  eta.note(10, 0);
  expect(eta.seconds(1_000)).toBeNull();
  eta.note(10, 1_000);
  expect(eta.seconds(1_000)).toBeNull();
  eta.note(null, 2_000);
  expect(eta.seconds(2_000)).toBeNull();
  eta.note(100, 3_000);
  expect(eta.seconds(3_000)).toBe(0);
});

test('a burst moves it little and a change of pace is followed within half a minute', () => {
  const { eta, nowMs } = steady(1, 30);
  eta.note(31, nowMs + 10);
  expect(eta.seconds(nowMs + 10)).toBeGreaterThan(50);
  for (let second = 1; second <= 30; second++) eta.note(31 + 0.1 * second, nowMs + 1_000 * second);
  expect(eta.seconds(nowMs + 30_000)).toBeGreaterThan(300);
});

test('a percent that goes back, as at a new stage, begins again', () => {
  const { eta, nowMs } = steady(10, 5);
  eta.note(0, nowMs);
  expect(eta.seconds(nowMs)).toBeNull();
  eta.note(1, nowMs + 1_000);
  expect(eta.seconds(nowMs + 1_000)).toBe(99);
});

test('whatever a handler says, the seconds are never negative and never no number', () => {
  const update = fc.record(
    {
      percent: fc.oneof(fc.double(), fc.constant(null)),
      etaSeconds: fc.oneof(fc.double(), fc.constant(null)),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(update, fc.nat(60_000))), (updates) => {
      const said = new NotedProgress();
      let nowMs = 0;
      for (const [given, afterMs] of updates) {
        nowMs += afterMs;
        said.note(given, nowMs);
        const { etaSeconds, percent } = said.take(nowMs + afterMs);
        for (const value of [etaSeconds, percent]) expect(value === null || value >= 0).toBe(true);
        if (etaSeconds !== null) expect(etaSeconds).toBeLessThanOrEqual(1e9);
      }
    }),
  );
});

test('the handler’s own estimate goes before ours and counts down by itself', () => {
  const said = new NotedProgress();
  said.note({ percent: 0 }, 0);
  said.note({ percent: 50 }, 10_000);
  expect(said.take(10_000).etaSeconds).toBe(10);
  said.note({ etaSeconds: 99 }, 10_000);
  expect(said.take(10_000).etaSeconds).toBe(99);
  expect(said.take(110_000).etaSeconds).toBe(0);
  said.note({ percent: 60, etaSeconds: null }, 12_000);
  expect(said.take(12_000).etaSeconds).toBeNull();
});

test('the same again is no news, anything else is', () => {
  const said = new NotedProgress();
  const update = { percent: 1, stage: 'a', message: 'b', preview: 'c/d.jpg', etaSeconds: 3 };
  said.note(update, 0);
  expect(said.take(0)).toEqual({
    percent: 1,
    stage: 'a',
    message: 'b',
    previewKey: 'c/d.jpg',
    etaSeconds: 3,
  });
  said.note(update, 1_000);
  expect(said.isDirty).toBe(false);
  for (const change of [
    { percent: 2 },
    { stage: 'x' },
    { message: null },
    { preview: null },
    { etaSeconds: 2 },
  ]) {
    said.note(change, 2_000);
    expect(said.isDirty).toBe(true);
    said.take(2_000);
  }
});
