import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defineJob, type JobDefinition } from '../../src/core/definition.ts';
import {
  CALLS_POLICY,
  COMMANDS_POLICY,
  ENRICH_POLICY,
  LIBRARY_POLICY,
  SCRAPE_POLICY,
  TRANSCRIBE_POLL_POLICY,
  TRANSCRIBE_POLL_SECONDS,
  VIDEO_POLICY,
} from '../../src/core/policies/presets.ts';
import { retryDelaySeconds } from '../../src/core/retry.ts';
import { transcode } from '../../src/domains/videos/definitions/transcode.ts';

const POLICIES = {
  calls: CALLS_POLICY,
  transcribe_poll: TRANSCRIBE_POLL_POLICY,
  video: VIDEO_POLICY,
  library: LIBRARY_POLICY,
  scrape: SCRAPE_POLICY,
  enrich: ENRICH_POLICY,
  commands: COMMANDS_POLICY,
} satisfies Record<string, Pick<JobDefinition, 'retryPolicy' | 'maxAttempts'>>;

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const retryNo = fc.integer({ min: 0, max: 2000 });
const lease = fc.record({
  leaseSeconds: fc.integer({ min: 2, max: 3600 }),
  heldSeconds: fc.double({ min: 0, max: 100_000, noNaN: true }),
});

/** The delays between the runs of a job that never succeeds, without jitter. */
function delays({ retryPolicy, maxAttempts }: Pick<JobDefinition, 'retryPolicy' | 'maxAttempts'>): number[] {
  return Array.from({ length: maxAttempts - 1 }, (_, n) => retryDelaySeconds(retryPolicy, n, 0.5));
}

describe('the five systems’ policies', () => {
  test.each([
    ['calls', [30, 60, 120, 240]],
    ['transcribe_poll', [30, 60, 120, 240]],
    ['video', [60, 300, 900]],
    ['library', [1, 1, 2, 4]],
    ['commands', [1, 2]],
  ] as const)('wait between the runs of %s as their table says', (name, expected) => {
    expect(delays(POLICIES[name])).toEqual(expected);
  });

  test('reach their caps and stay there', () => {
    const at = (name: 'calls' | 'library' | 'commands', n: number) =>
      retryDelaySeconds(POLICIES[name].retryPolicy, n, 0.5);
    expect([3, 4, 5, 6, 500].map((n) => at('calls', n))).toEqual([240, 480, 600, 600, 600]);
    expect([4, 5, 6, 7, 8, 500].map((n) => at('library', n))).toEqual([8, 16, 32, 60, 60, 60]);
    expect([8, 9, 10, 11, 500].map((n) => at('commands', n))).toEqual([256, 512, 600, 600, 600]);
  });

  test.each(Object.entries(POLICIES))(
    'of %s never wait a negative or endless time, nor outside their jitter',
    (_, { retryPolicy }) => {
      fc.assert(
        fc.property(retryNo, random, lease, (n, r, held) => {
          const exact = retryDelaySeconds({ ...retryPolicy, jitter: 0 }, n, 0.5, held);
          const delay = retryDelaySeconds(retryPolicy, n, r, held);
          const jitter = retryPolicy.jitter ?? 0;
          expect(Number.isFinite(delay) && delay >= 0).toBe(true);
          expect(delay).toBeGreaterThanOrEqual(exact * (1 - jitter) - 1e-9);
          expect(delay).toBeLessThanOrEqual(exact * (1 + jitter) + 1e-9);
        }),
      );
    },
  );

  test('of video vary over all of 80 to 120 %, and the calls’ not at all', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 }), random, (n, r) => {
        const [exact] = [[60, 300, 900][n] ?? 0];
        expect(retryDelaySeconds(VIDEO_POLICY.retryPolicy, n, r)).toBeCloseTo(exact * (0.8 + 0.4 * r), 6);
        expect(retryDelaySeconds(CALLS_POLICY.retryPolicy, n, r)).toBe(30 * 2 ** n);
      }),
    );
  });

  test('of scraping and enrichment end a run with the visibility timeout', () => {
    expect(SCRAPE_POLICY).toMatchObject({ timeoutSeconds: 120, leaseSeconds: 120 });
    expect(ENRICH_POLICY).toMatchObject({ timeoutSeconds: 300, leaseSeconds: 300 });
  });

  test('of scraping and enrichment read again when the lease would have ended, however long it was held', () => {
    for (const { retryPolicy, leaseSeconds } of [SCRAPE_POLICY, ENRICH_POLICY]) {
      fc.assert(
        fc.property(retryNo, random, fc.double({ min: 0, max: 1000, noNaN: true }), (n, r, heldSeconds) => {
          const delay = retryDelaySeconds(retryPolicy, n, r, { leaseSeconds, heldSeconds });
          expect(delay).toBeCloseTo(Math.max(0, leaseSeconds - heldSeconds), 6);
        }),
      );
    }
    expect([SCRAPE_POLICY, ENRICH_POLICY]).toMatchObject([
      { maxAttempts: 3, leaseSeconds: 120 },
      { maxAttempts: 3, leaseSeconds: 300 },
    ]);
  });

  test('name how many runs there are, and are accepted by a definition', () => {
    expect(Object.entries(POLICIES).map(([name, { maxAttempts }]) => [name, maxAttempts])).toEqual([
      ['calls', 5],
      ['transcribe_poll', 5],
      ['video', 4],
      ['library', 5],
      ['scrape', 3],
      ['enrich', 3],
      ['commands', 3],
    ]);
    expect(COMMANDS_POLICY.timeoutSeconds).toBe(3600);
    for (const policy of Object.values(POLICIES))
      expect(defineJob({ key: 'any', payload: {}, ...policy })).toMatchObject(policy);
    expect(transcode).toMatchObject(VIDEO_POLICY);
  });

  test('let a poll snooze at its fixed interval without spending an attempt, up to a deadline and not a number', () => {
    expect(TRANSCRIBE_POLL_SECONDS).toBeGreaterThan(0);
    expect(TRANSCRIBE_POLL_POLICY.maxSnoozes).toBeNull();
    expect(TRANSCRIBE_POLL_POLICY.snoozeDeadlineSeconds).toBeGreaterThan(TRANSCRIBE_POLL_SECONDS);
  });
});
