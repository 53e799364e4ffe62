import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RetryPolicy, retryDelaySeconds } from '../../src/core/retry.ts';

const policies: fc.Arbitrary<RetryPolicy> = fc.oneof(
  fc.record({
    delaysSeconds: fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 6 }),
    jitter: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  fc.record({
    baseSeconds: fc.integer({ min: 0, max: 600 }),
    factor: fc.double({ min: 1, max: 10, noNaN: true }),
    exponentOffset: fc.integer({ min: -3, max: 3 }),
    capSeconds: fc.integer({ min: 0, max: 86_400 }),
    jitter: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
);
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const retryNo = fc.integer({ min: 0, max: 5000 });

describe('the retry delay', () => {
  test('is a finite number of seconds, never negative, within jitter of the exact one', () => {
    fc.assert(
      fc.property(policies, retryNo, random, (policy, n, r) => {
        const exact = retryDelaySeconds({ ...policy, jitter: 0 }, n, 0.5);
        const delay = retryDelaySeconds(policy, n, r);
        const jitter = policy.jitter ?? 0;
        expect(Number.isFinite(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(Math.max(0, exact * (1 - jitter) - 1e-9));
        expect(delay).toBeLessThanOrEqual(exact * (1 + jitter) + 1e-9);
        if (policy.capSeconds !== undefined) expect(exact).toBeLessThanOrEqual(policy.capSeconds);
      }),
    );
  });

  test('never gets shorter from one retry to the next when it grows by a factor', () => {
    fc.assert(
      fc.property(retryNo, fc.integer({ min: 1, max: 60 }), (n, baseSeconds) => {
        const policy = { baseSeconds, factor: 2, capSeconds: 600 };
        expect(retryDelaySeconds(policy, n + 1, 0.5)).toBeGreaterThanOrEqual(
          retryDelaySeconds(policy, n, 0.5),
        );
      }),
    );
  });

  test.each([
    ['calls', { baseSeconds: 30, factor: 2, capSeconds: 600 }, [30, 60, 120, 240, 480, 600, 600]],
    ['video', { delaysSeconds: [60, 300, 900] }, [60, 300, 900, 900]],
    // Counted by attempts there: 0 and 1 wait a second each.
    [
      'the jobs library',
      { baseSeconds: 1, factor: 2, exponentOffset: -1, capSeconds: 60 },
      [1, 1, 2, 4, 8, 16, 32, 60, 60],
    ],
  ] satisfies [string, RetryPolicy, number[]][])(
    'follows the written policy of %s',
    (_, policy, expected) => {
      expect(expected.map((_delay, n) => retryDelaySeconds(policy, n, 0.5))).toEqual(expected);
    },
  );

  test('varies by exactly 20 % each way where the policy says so', () => {
    const policy = { delaysSeconds: [60], jitter: 0.2 };
    expect(retryDelaySeconds(policy, 0, 0)).toBeCloseTo(48);
    expect(retryDelaySeconds(policy, 0, 0.999999)).toBeCloseTo(72, 3);
  });
});
