import { PermanentError } from '../../src/core/errors.ts';
import type { ClaimedJob, Finish } from '../../src/core/queue.ts';
import { toJobError } from './job-error.ts';

/** Lost leases after which a job counts as poison: what killed four workers is not given a fifth. */
const MAX_LOST_LEASES = 3;

/**
 * How a claimed job ends without its handler being called, or null when it shall run. Rescue only puts rows back into the
 * queue, knowing no definition; so it is the next worker that ends what must not run again.
 */
export function finishWithoutRunning({ job }: ClaimedJob): Finish | null {
  if (job.cancelRequestedAt !== null) {
    return { kind: 'final', settlement: { status: 'canceled', reason: job.reason ?? 'canceled' } };
  }
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

function deadLetter(type: string, message: string, attemptCount: number): Finish {
  const error = toJobError(new PermanentError(type, message.trim()), attemptCount);
  return { kind: 'final', settlement: { status: 'dead_letter', error } };
}

function lastWords(error: { readonly message: string } | null): string {
  return error === null ? '' : `Last: ${error.message}`;
}
