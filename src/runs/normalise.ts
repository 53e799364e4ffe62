import type { JobDefinition } from '../core/definition.ts';
import { PermanentError, RetryAfter, toError } from '../core/errors.ts';
import type { Job } from '../core/job.ts';
import { inDependencyOrder } from '../core/next-jobs.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Finish } from '../core/queue.ts';
import { retryDelaySeconds } from '../core/retry.ts';
import { textOf } from '../core/text-of.ts';
import type { RunAborted } from './abort-reason.ts';
import { toJobError } from './job-error.ts';
import { permanentError } from './permanent-error.ts';

/** How a handler ended. `abandoned`: it was asked to stop and did not within its grace. */
export type Ended =
  | { readonly kind: 'returned'; readonly outcome: Outcome }
  | { readonly kind: 'threw'; readonly error: Error }
  | { readonly kind: 'abandoned' };

export interface EndedRun {
  readonly ended: Ended;
  /** Why it was asked to stop; null when it was not. */
  readonly aborted: RunAborted | null;
  /** The lease is gone: whatever the handler says, nothing is written. */
  readonly lost: boolean;
  readonly job: Pick<Job, 'attemptCount' | 'maxAttempts' | 'snoozeCount' | 'queuedAt' | 'claimedAt'>;
  readonly definition: Pick<
    JobDefinition,
    'key' | 'retryPolicy' | 'maxSnoozes' | 'snoozeDeadlineSeconds' | 'leaseSeconds'
  >;
  /**
   * From the claim until now. Times of day are computed from it and the claim's, which are the database's:
   * our clock may be off.
   */
  readonly heldMs: number;
  /** A number in [0, 1) for the jitter of a retry. */
  readonly random: number;
}

/** The longest wait that is taken from a handler: a year. Infinity would not fit into an interval. */
const MAX_DELAY_SECONDS = 366 * 86_400;

/**
 * Applies outcome, budget and policy: what to write about a run, or null when there is nothing to write.
 * Pure. Work that was finished counts, even if the handler was asked to stop meanwhile: `done` wins over
 * cancel, timeout and shutdown. Otherwise why it was asked to stop says more than what it threw about it.
 */
export function finishOf(run: EndedRun): Finish | null {
  if (run.lost) return null;
  if (run.ended.kind === 'returned') return finishReadable(run, run.ended.outcome);
  if (run.aborted === null) return run.ended.kind === 'threw' ? finishThrown(run, run.ended.error) : null;
  return finishAborted(run, run.aborted);
}

/** What a handler returns may be anything, a proxy that throws for one: that is the job's own failure. */
function finishReadable(run: EndedRun, outcome: Outcome): Finish {
  try {
    return finishReturned(run, outcome);
  } catch (thrown) {
    if (thrown instanceof PermanentError) return finishThrown(run, thrown);
    const { message } = toError(thrown);
    return finishThrown(run, invalidOutcome(run, `an outcome that cannot be read: ${message}`));
  }
}

function finishReturned(run: EndedRun, outcome: Outcome): Finish {
  switch (outcome?.kind) {
    case 'done': {
      const { result, artifacts = [], next } = outcome;
      if (!Array.isArray(artifacts))
        return finishThrown(run, invalidOutcome(run, 'done with artifacts that are no list'));
      // Looked at here, so that what is wrong with them fails the job by its own fault and by name.
      if (next !== undefined) inDependencyOrder(next);
      return {
        kind: 'final',
        settlement: {
          status: 'succeeded',
          skippedReason: null,
          result,
          artifacts,
          ...(next !== undefined && next.length > 0 && { next }),
        },
      };
    }
    case 'skipped': {
      const { reason, result } = outcome;
      if (typeof reason !== 'string') return withoutReason(run, 'skipped', reason);
      return {
        kind: 'final',
        settlement: { status: 'succeeded', skippedReason: reason, result, artifacts: [] },
      };
    }
    case 'canceled': {
      const { reason } = outcome;
      if (typeof reason !== 'string') return withoutReason(run, 'canceled', reason);
      return { kind: 'final', settlement: { status: 'canceled', reason } };
    }
    case 'snoozed': {
      const { delaySeconds, reason } = outcome;
      if (typeof delaySeconds !== 'number' || Number.isNaN(delaySeconds))
        return finishThrown(
          run,
          invalidOutcome(
            run,
            `snoozed with delaySeconds ${describe(delaySeconds)}; allowed: a number of seconds`,
          ),
        );
      if (typeof reason !== 'string') return withoutReason(run, 'snoozed', reason);
      return finishSnoozed(run, { delaySeconds, reason });
    }
    default:
      return finishThrown(
        run,
        invalidOutcome(run, `${describe(outcome)}; allowed: done, skipped, snoozed or canceled`),
      );
  }
}

function withoutReason(run: EndedRun, kind: string, reason: unknown): Finish {
  return finishThrown(
    run,
    invalidOutcome(run, `${kind} with reason ${describe(reason)}; allowed: a text that says why`),
  );
}

function invalidOutcome({ definition }: EndedRun, returned: string): PermanentError {
  return new PermanentError('InvalidOutcome', `The handler of ${definition.key} returned ${returned}`);
}

function finishSnoozed(run: EndedRun, outcome: Omit<Extract<Outcome, { kind: 'snoozed' }>, 'kind'>): Finish {
  if (run.aborted?.kind === 'canceled') return canceledAs(run.aborted);
  const { maxSnoozes } = run.definition;
  if (maxSnoozes !== null && run.job.snoozeCount >= maxSnoozes) {
    const message = `Snoozed ${run.job.snoozeCount} times, the most that ${run.definition.key} allows; it waited for: ${outcome.reason}`;
    return finishThrown(run, new PermanentError('DeadlineExceeded', message));
  }
  const leftSeconds = snoozeTimeLeft(run);
  if (leftSeconds <= 0) {
    const message = `Still not done ${run.definition.snoozeDeadlineSeconds} s after it was queued, the most that ${run.definition.key} allows; it waited for: ${outcome.reason}`;
    return finishThrown(run, new PermanentError('DeadlineExceeded', message));
  }
  // The last look is at the deadline itself, so that the job ends then and not an interval later.
  const delaySeconds = Math.min(boundedDelay(outcome.delaySeconds), leftSeconds);
  return { kind: 'snooze', delaySeconds, reason: outcome.reason };
}

/** Seconds until the definition's deadline for snoozing; Infinity where it has none. */
function snoozeTimeLeft({ job, definition, heldMs }: EndedRun): number {
  const { snoozeDeadlineSeconds } = definition;
  if (snoozeDeadlineSeconds === null) return Number.POSITIVE_INFINITY;
  const nowMs = (job.claimedAt ?? job.queuedAt).getTime() + heldMs;
  return snoozeDeadlineSeconds - (nowMs - job.queuedAt.getTime()) / 1000;
}

function finishAborted(run: EndedRun, aborted: RunAborted): Finish | null {
  switch (aborted.kind) {
    case 'leaseLost':
      return null;
    case 'canceled':
      return canceledAs(aborted);
    case 'shuttingDown':
    case 'notBegun':
      return { kind: 'handBack' };
    case 'strayError':
      return finishThrown(run, toError(aborted.cause ?? aborted));
    case 'timedOut':
      return { ...retryOrDeadLetter(run, aborted, null), timedOut: true };
  }
}

function canceledAs(aborted: RunAborted): Finish {
  return { kind: 'final', settlement: { status: 'canceled', reason: aborted.message } };
}

function finishThrown(run: EndedRun, error: Error): Finish {
  const permanent = permanentError(error);
  if (permanent !== null) {
    return {
      kind: 'final',
      settlement: { status: 'failed', error: toJobError(permanent, run.job.attemptCount) },
    };
  }
  if (!(error instanceof RetryAfter)) return retryOrDeadLetter(run, error, null);
  const { delaySeconds, message } = error;
  if (typeof delaySeconds === 'number' && !Number.isNaN(delaySeconds))
    return retryOrDeadLetter(run, error, delaySeconds);
  const invalid = `RetryAfter was thrown with delaySeconds ${describe(delaySeconds)}; allowed: a number of seconds. It said: ${message}`;
  return finishThrown(run, new PermanentError('InvalidOutcome', invalid));
}

function retryOrDeadLetter(
  { job, definition, random, heldMs }: EndedRun,
  thrown: Error,
  askedDelaySeconds: number | null,
): Extract<Finish, { kind: 'final' | 'retry' }> {
  const error = toJobError(thrown, job.attemptCount);
  if (job.attemptCount + 1 >= job.maxAttempts) {
    return { kind: 'final', settlement: { status: 'dead_letter', error } };
  }
  const lease = { leaseSeconds: definition.leaseSeconds, heldSeconds: heldMs / 1000 };
  const delaySeconds =
    askedDelaySeconds ?? retryDelaySeconds(definition.retryPolicy, job.attemptCount, random, lease);
  return { kind: 'retry', delaySeconds: boundedDelay(delaySeconds), error };
}

function boundedDelay(delaySeconds: number): number {
  return Number.isNaN(delaySeconds) ? 0 : Math.min(MAX_DELAY_SECONDS, Math.max(0, delaySeconds));
}

function describe(value: unknown): string {
  return value === undefined ? 'nothing' : textOf(value).slice(0, 200);
}
