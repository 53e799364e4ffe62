import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RateLimit } from '../../src/core/rate-limit.ts';

describe('a token bucket', () => {
  it('gives in no time span more than a burst and the rate, whatever is asked when', () => {
    fc.assert(
      fc.property(
        fc.record({
          perSecond: fc.integer({ min: 1, max: 1_000 }),
          burst: fc.integer({ min: 1, max: 10_000 }),
        }),
        fc.array(
          fc.record({ waitMs: fc.integer({ min: 0, max: 5_000 }), amount: fc.integer({ min: 1, max: 500 }) }),
          { minLength: 1, maxLength: 60 },
        ),
        (rate, asks) => {
          let nowMs = 1_000;
          const limit = new RateLimit(rate, () => nowMs);
          const taken: { atMs: number; amount: number }[] = [];
          for (const { waitMs, amount } of asks) {
            nowMs += waitMs;
            const size = Math.min(amount, rate.burst);
            const refused = limit.refusal('x', size);
            if (refused === null) {
              limit.take('x', size);
              taken.push({ atMs: nowMs, amount: size });
              continue;
            }
            expect(refused.actual).toBeGreaterThan(rate.burst);
            // What it says holds: after that time it is there.
            nowMs += refused.retryAfterMs + 1;
            expect(limit.refusal('x', size)).toBeNull();
          }
          for (const [from, first] of taken.entries()) {
            let sum = 0;
            for (const { atMs, amount } of taken.slice(from)) {
              sum += amount;
              expect(sum).toBeLessThanOrEqual(
                rate.burst + (rate.perSecond * (atMs - first.atMs)) / 1_000 + 1e-6,
              );
            }
          }
        },
      ),
    );
  });

  it('is one of its own for each name, and is never emptier than empty', () => {
    let nowMs = 0;
    const limit = new RateLimit({ perSecond: 10, burst: 20 }, () => nowMs);
    for (let i = 0; i < 5; i++) limit.take('a', 1_000);
    expect(limit.refusal('a', 1)).toEqual({ actual: 21, retryAfterMs: 100 });
    expect(limit.refusal('b', 20)).toBeNull();
    nowMs += 2_000;
    expect(limit.refusal('a', 20)).toBeNull();
  });

  it('lets what is larger than itself pass when it is full', () => {
    const limit = new RateLimit({ perSecond: 10, burst: 20 }, () => 0);
    expect(limit.refusal('a', 1_000)).toBeNull();
  });

  it('holds for 20,000 names at once', () => {
    const limit = new RateLimit({ perSecond: 1, burst: 1 }, () => 0);
    for (let i = 0; i < 20_000; i++) limit.take(`name ${i}`, 1);
    expect(limit.refusal('name 19999', 1)).not.toBeNull();
    // The oldest are forgotten: memory is bounded first.
    expect(limit.refusal('name 0', 1)).toBeNull();
  });
});
