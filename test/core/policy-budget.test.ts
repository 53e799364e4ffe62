import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PermanentError } from '../../src/core/errors.ts';
import { snoozed } from '../../src/core/outcome.ts';
import {
  CALLS_POLICY,
  COMMANDS_POLICY,
  LIBRARY_POLICY,
  SCRAPE_POLICY,
  TRANSCRIBE_POLL_POLICY,
  VIDEO_POLICY,
} from '../../src/core/policies/presets.ts';
import { retryDelaySeconds } from '../../src/core/retry.ts';
import { shuttingDownRun, timedOutRun } from '../../src/runs/abort-reason.ts';
import { type EndedRun, finishOf } from '../../src/runs/normalise.ts';

const queuedAt = new Date('2026-11-28T00:00:00Z');
const everyPolicy = [CALLS_POLICY, VIDEO_POLICY, LIBRARY_POLICY, SCRAPE_POLICY, COMMANDS_POLICY];

/** How one run ends: an error, a timeout, a snooze or a stop of the worker. */
const endings = fc.array(fc.constantFrom('error', 'timeout', 'snooze', 'stop'), { maxLength: 40 });

function runOf(
  ending: 'error' | 'timeout' | 'snooze' | 'stop',
  counts: { attemptCount: number; snoozeCount: number },
  policy: (typeof everyPolicy)[number],
  heldMs: number,
): EndedRun {
  const aborted = ending === 'timeout' ? timedOutRun(1) : ending === 'stop' ? shuttingDownRun() : null;
  return {
    ended:
      ending === 'snooze'
        ? { kind: 'returned', outcome: snoozed(10) }
        : { kind: 'threw', error: new Error(ending) },
    aborted,
    lost: false,
    job: { ...counts, maxAttempts: policy.maxAttempts, queuedAt, claimedAt: queuedAt },
    definition: { key: 'any', maxSnoozes: null, snoozeDeadlineSeconds: null, leaseSeconds: 120, ...policy },
    heldMs,
    random: 0.5,
  };
}

describe('a job’s budget', () => {
  test('is spent by errors and timeouts alone, is spent exactly, and each retry waits as its number says', () => {
    fc.assert(
      fc.property(endings, fc.constantFrom(...everyPolicy), fc.nat(200_000), (list, policy, heldMs) => {
        const counts = { attemptCount: 0, snoozeCount: 0 };
        for (const ending of list) {
          const finish = finishOf(runOf(ending, counts, policy, heldMs));
          if (finish === null) throw new Error('nothing to write');
          const spends = ending === 'error' || ending === 'timeout';
          // What the queue's verbs make of each kind is seen against Postgres, in test/contract.
          if (spends) expect(['retry', 'final']).toContain(finish.kind);
          else expect(finish.kind).toBe(ending === 'snooze' ? 'snooze' : 'handBack');
          if (ending === 'timeout') expect(finish).toMatchObject({ timedOut: true });
          if (finish.kind === 'retry') {
            const held = { leaseSeconds: 120, heldSeconds: heldMs / 1000 };
            expect(finish.delaySeconds).toBe(
              retryDelaySeconds(policy.retryPolicy, counts.attemptCount, 0.5, held),
            );
          }
          counts.attemptCount += Number(spends);
          counts.snoozeCount += Number(ending === 'snooze');
          const isSpent = counts.attemptCount === policy.maxAttempts;
          expect(finish.kind === 'final').toBe(isSpent);
          if (!isSpent) continue;
          expect(finish).toMatchObject({ settlement: { status: 'dead_letter' } });
          return;
        }
      }),
    );
  });

  test('does not count for a permanent error, whatever is left of it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4 }), (attemptCount) => {
        const run = runOf('error', { attemptCount, snoozeCount: 0 }, CALLS_POLICY, 0);
        const ended = { kind: 'threw', error: new PermanentError('S3ObjectNotFound', 'gone') } as const;
        expect(finishOf({ ...run, ended })).toMatchObject({
          kind: 'final',
          settlement: { status: 'failed', error: { type: 'S3ObjectNotFound', retryCount: attemptCount } },
        });
      }),
    );
  });
});

describe('a snoozing job with a deadline', () => {
  const deadlineSeconds = TRANSCRIBE_POLL_POLICY.snoozeDeadlineSeconds ?? 0;

  function poll(ageSeconds: number, delaySeconds: number, heldSeconds = 0) {
    const claimedAt = new Date(queuedAt.getTime() + (ageSeconds - heldSeconds) * 1000);
    const run = runOf(
      'snooze',
      { attemptCount: 0, snoozeCount: 1_000_000 },
      CALLS_POLICY,
      heldSeconds * 1000,
    );
    return finishOf({
      ...run,
      ended: { kind: 'returned', outcome: snoozed(delaySeconds, 'not ready') },
      job: { ...run.job, claimedAt },
      definition: { ...run.definition, ...TRANSCRIBE_POLL_POLICY },
    });
  }

  test('looks again at its interval, for the last time at the deadline, and then fails without a retry', () => {
    expect(poll(0, 10)).toMatchObject({ kind: 'snooze', delaySeconds: 10 });
    expect(poll(deadlineSeconds - 4, 10)).toMatchObject({ kind: 'snooze', delaySeconds: 4 });
    expect(poll(deadlineSeconds, 10)).toMatchObject({
      kind: 'final',
      settlement: { status: 'failed', error: { type: 'DeadlineExceeded' } },
    });
  });

  test('is held to it by the database’s clock and the time since the claim, however ages and delays fall', () => {
    const age = fc.double({ min: 0, max: 2 * deadlineSeconds, noNaN: true });
    fc.assert(
      fc.property(
        age,
        fc.double({ min: 0, max: 100_000, noNaN: true }),
        fc.nat(1000),
        (aged, delay, held) => {
          const finish = poll(aged, delay, Math.min(held, aged));
          if (aged >= deadlineSeconds + 0.01) expect(finish?.kind).toBe('final');
          if (aged > deadlineSeconds - 0.01) return;
          if (finish?.kind !== 'snooze') throw new Error(`not a snooze: ${finish?.kind}`);
          expect(finish.delaySeconds).toBeLessThanOrEqual(Math.min(delay, deadlineSeconds - aged) + 0.01);
          expect(finish.delaySeconds).toBeGreaterThanOrEqual(Math.min(delay, deadlineSeconds - aged) - 0.01);
        },
      ),
    );
  });

  test('succeeds all the same when a last look finds it done', () => {
    const run = runOf('snooze', { attemptCount: 0, snoozeCount: 9 }, CALLS_POLICY, 10 * 86_400_000);
    const ended = { kind: 'returned', outcome: { kind: 'done', result: 1, artifacts: [] } } as const;
    expect(
      finishOf({ ...run, ended, definition: { ...run.definition, ...TRANSCRIBE_POLL_POLICY } }),
    ).toMatchObject({
      settlement: { status: 'succeeded' },
    });
  });
});
