import { PermanentError } from '../core/errors.ts';
import type { Job } from '../core/job.ts';
import type { ClaimedJob, Finish } from '../core/queue.ts';
import { toJobError } from './job-error.ts';

/** Lost leases after which a job counts as poison: what killed four workers is not given a fifth. */
const MAX_LOST_LEASES = 3;

/**
 * How a claimed job ends without its handler being called, or null when it shall run. Rescue only puts rows
 * back into the queue, knowing no definition; so it is the next worker that ends what must not run again.
 */
export function finishWithoutRunning({ job }: ClaimedJob): Finish | null {
  if (job.cancelRequestedAt !== null) {
    return { kind: 'final', settlement: { status: 'canceled', reason: job.reason ?? 'canceled' } };
  }
  if (hasExpired(job)) return { kind: 'final', settlement: { status: 'canceled', reason: 'expired' } };
  if (job.lostLeaseCount > MAX_LOST_LEASES) {
    return deadLetter(
      'PoisonPill',
      `${job.lostLeaseCount} runs in a row lost their lease (the worker died or hung); it is not run again. ${lastWords(job.lastError)}`,
      job.attemptCount,
    );
  }
  if (job.attemptCount >= job.maxAttempts) {
    const type = job.lostLeaseCount > 0 ? 'LostLease' : 'AttemptsExhausted';
    return deadLetter(
      type,
      `All ${job.maxAttempts} attempts are spent${job.lostLeaseCount > 0 ? ', the last by a lost lease' : ''}. ${lastWords(job.lastError)}`,
      job.attemptCount,
    );
  }
  return null;
}

/**
 * Not begun by its time: by the database's clock, which wrote the claim. A job that has run before has begun.
 */
function hasExpired({ expiresAt, claimedAt, attemptCount, snoozeCount }: Job): boolean {
  return (
    expiresAt !== null &&
    claimedAt !== null &&
    claimedAt.getTime() >= expiresAt.getTime() &&
    attemptCount === 0 &&
    snoozeCount === 0
  );
}

function deadLetter(type: string, message: string, attemptCount: number): Finish {
  const error = toJobError(new PermanentError(type, message.trim()), attemptCount);
  return { kind: 'final', settlement: { status: 'dead_letter', error } };
}

function lastWords(error: { readonly message: string } | null): string {
  return error === null ? '' : `Last: ${error.message}`;
}
