import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PermanentError, RetryAfter } from '../../src/core/errors.ts';
import { done, skipped, snoozed } from '../../src/core/outcome.ts';
import {
  canceledRun,
  leaseLostRun,
  notBegunRun,
  shuttingDownRun,
  timedOutRun,
} from '../../src/runs/abort-reason.ts';
import { type Ended, type EndedRun, finishOf } from '../../src/runs/normalise.ts';

const threw = (error: Error): Ended => ({ kind: 'threw', error });
const returned = (outcome: Extract<Ended, { kind: 'returned' }>['outcome']): Ended => ({
  kind: 'returned',
  outcome,
});

const queuedAt = new Date('2026-11-28T00:00:00Z');
const fresh = { attemptCount: 0, maxAttempts: 3, snoozeCount: 0, queuedAt, claimedAt: queuedAt };

function run(ended: Ended, change: Partial<EndedRun> = {}): EndedRun {
  return {
    ended,
    aborted: null,
    lost: false,
    job: fresh,
    definition: {
      key: 'task',
      retryPolicy: { delaysSeconds: [60, 300], jitter: 0.2 },
      maxSnoozes: 5,
      snoozeDeadlineSeconds: null,
      leaseSeconds: 30,
    },
    heldMs: 0,
    random: 0.5,
    ...change,
  };
}

const interrupted = threw(new Error('interrupted'));

test('work that was finished counts whatever the handler was asked meanwhile', () => {
  for (const aborted of [null, canceledRun(null), timedOutRun(5), shuttingDownRun(), notBegunRun()]) {
    for (const outcome of [done(1), skipped('nothing to do')]) {
      expect(finishOf(run(returned(outcome), { aborted }))).toMatchObject({
        kind: 'final',
        settlement: { status: 'succeeded' },
      });
    }
  }
});

test('nothing is written once the lease is lost, not even success', () => {
  const lost = { aborted: leaseLostRun(), lost: true };
  expect(finishOf(run(returned(done()), lost))).toBeNull();
  expect(finishOf(run(interrupted, lost))).toBeNull();
  expect(finishOf(run({ kind: 'abandoned' }, { aborted: canceledRun(null), lost: true }))).toBeNull();
});

test('why a handler was asked to stop says more than what it threw about it', () => {
  const permanent = threw(new PermanentError('Broken', 'half a file'));
  for (const ended of [interrupted, permanent, { kind: 'abandoned' } as const]) {
    expect(finishOf(run(ended, { aborted: canceledRun('not needed') }))).toEqual({
      kind: 'final',
      settlement: { status: 'canceled', reason: 'not needed' },
    });
    expect(finishOf(run(ended, { aborted: shuttingDownRun() }))).toEqual({ kind: 'handBack' });
    expect(finishOf(run(ended, { aborted: notBegunRun() }))).toEqual({ kind: 'handBack' });
    expect(finishOf(run(ended, { aborted: timedOutRun(5) }))).toMatchObject({
      kind: 'retry',
      timedOut: true,
      delaySeconds: 60,
      error: { type: 'TimedOut', message: 'The run took longer than its 5 s.' },
    });
  }
});

test('the last attempt goes to the dead letters, by error or by timeout', () => {
  const job = { ...fresh, attemptCount: 2 };
  expect(finishOf(run(interrupted, { job }))).toMatchObject({
    settlement: { status: 'dead_letter', error: { retryCount: 2 } },
  });
  expect(finishOf(run(interrupted, { job, aborted: timedOutRun(5) }))).toMatchObject({
    timedOut: true,
    settlement: { status: 'dead_letter' },
  });
  expect(finishOf(run(threw(new RetryAfter(5, 'wait')), { job }))).toMatchObject({
    settlement: { status: 'dead_letter' },
  });
});

test('retries wait as the policy says, with its jitter, or as the handler asks', () => {
  const job = { ...fresh, attemptCount: 1, maxAttempts: 9 };
  expect(finishOf(run(interrupted, { job }))).toMatchObject({ kind: 'retry', delaySeconds: 300 });
  expect(finishOf(run(interrupted, { job, random: 0 }))).toMatchObject({ delaySeconds: 240 });
  expect(finishOf(run(threw(new RetryAfter(7, 'wait')), { job }))).toMatchObject({ delaySeconds: 7 });
});

test('a cancel wins over a snooze, a snooze over a timeout', () => {
  expect(finishOf(run(returned(snoozed(5)), { aborted: canceledRun(null) }))).toMatchObject({
    settlement: { status: 'canceled' },
  });
  expect(finishOf(run(returned(snoozed(5)), { aborted: timedOutRun(5) }))).toMatchObject({
    kind: 'snooze',
    delaySeconds: 5,
  });
});

test('a delay is always a number that an interval can hold', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), fc.boolean(), (seconds, snooze) => {
      const ended = snooze ? returned(snoozed(seconds)) : threw(new RetryAfter(seconds, 'wait'));
      const finish = finishOf(run(ended));
      const delaySeconds =
        finish?.kind === 'snooze' || finish?.kind === 'retry' ? finish.delaySeconds : Number.NaN;
      return delaySeconds >= 0 && delaySeconds <= 366 * 86_400;
    }),
  );
});

test('a delay that is no number ends the job, with an error that says so', () => {
  for (const ended of [returned(snoozed(Number.NaN)), threw(new RetryAfter(Number.NaN, 'wait'))]) {
    expect(finishOf(run(ended))).toMatchObject({
      kind: 'final',
      settlement: { status: 'failed', error: { message: expect.stringContaining('delaySeconds NaN') } },
    });
  }
});

test('an error without a message, or of a megabyte, or with stray bytes is kept as text that Postgres takes', () => {
  const error = (message: string) => {
    const finish = finishOf(run(threw(new Error(message))));
    return finish?.kind === 'retry' ? finish.error.message : '';
  };
  expect(error('')).toBe('Error without a message');
  expect(error('a\0b\ud800')).toBe('a\u2400b\ufffd');
  expect(error(`head${'x'.repeat(1_000_000)}tail`)).toMatch(/^head.*characters left out.*tail$/s);
  expect(error('x'.repeat(1_000_000)).length).toBeLessThanOrEqual(16_384);
});
