import type { JobDefinition } from '../core/definition.ts';
import type { Outcome } from '../core/outcome.ts';
import type { ClaimedJob, Finish } from '../core/queue.ts';
import { finishOf } from '../runs/normalise.ts';

/** What a handler's outcome comes to, as for a worker. */
export function ended({ job }: ClaimedJob, definition: JobDefinition, outcome: Outcome): Finish {
  const heldMs = Date.now() - (job.claimedAt ?? new Date()).getTime();
  const finish = finishOf({
    ended: { kind: 'returned', outcome },
    ...{ aborted: null, lost: false, job, definition, heldMs: Math.max(0, heldMs), random: Math.random() },
  });
  return finish ?? success();
}

/** Success without a result. */
export function success(): Finish {
  return {
    kind: 'final',
    settlement: { status: 'succeeded', skippedReason: null, result: null, artifacts: [] },
  };
}

/**
 * A failed run: another try after the delay, or the end when the job has had all its runs.
 * @param mayRetry asked with the number of failed runs, this one included, and with how many there may be
 */
export function failure(
  { job }: ClaimedJob,
  message: string,
  mayRetry: (attempts: number, maxAttempts: number) => boolean,
  delaySeconds: number,
): Finish {
  const error = {
    type: 'Error',
    message,
    timestamp: new Date().toISOString(),
    retryCount: job.attemptCount,
  };
  return mayRetry(job.attemptCount + 1, job.maxAttempts)
    ? { kind: 'retry', delaySeconds, error }
    : { kind: 'final', settlement: { status: 'dead_letter', error } };
}
