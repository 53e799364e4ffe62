import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs } from '../../src/db/backoff.ts';

const failures = fc.integer({ min: 1, max: 10_000 });
const longest = fc.integer({ min: 100, max: 60_000 });
const random = fc.double({ min: 0, max: 0.999_999, noNaN: true });

test('waits at least half of what the failure asks for, and never longer than it may', () => {
  fc.assert(
    fc.property(failures, longest, random, (count, longestMs, luck) => {
      const fullMs = Math.min(longestMs, 100 * 2 ** Math.min(40, count - 1));
      const waitMs = backoffMs(count, longestMs, luck);
      expect(waitMs).toBeGreaterThanOrEqual(fullMs / 2);
      expect(waitMs).toBeLessThanOrEqual(fullMs);
    }),
  );
});

test('processes that fail together are spread over half of the wait, at every failure and whatever the longest wait is', () => {
  fc.assert(
    fc.property(failures, longest, (count, longestMs) => {
      const [first, last] = [backoffMs(count, longestMs, 0), backoffMs(count, longestMs, 0.999_999)];
      expect(last / first).toBeCloseTo(2, 4);
    }),
  );
});
