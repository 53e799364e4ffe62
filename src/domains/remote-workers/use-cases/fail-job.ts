import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { PermanentError, RetryAfter } from '../../../core/errors.ts';
import { snoozed } from '../../../core/outcome.ts';
import type { Lease } from '../../../core/queue.ts';
import { checkNumber, refused } from '../../../operations/ranges.ts';
import type { RemoteDeps } from './deps.ts';
import { endHandedBack, endReturned, endThrown, type RunEnd } from './end-run.ts';
import { checkLease, tenantServedBy } from './lease.ts';

/** The longest wait that is taken: a year. */
export const MAX_DELAY_SECONDS = 366 * 86_400;
const TYPE = /^[\w.:-]{1,100}$/;

export interface Failure {
  /** A name for programs, as of a class of errors; `Error` by default. */
  readonly type?: string | null | undefined;
  readonly message: string;
  /** No retry would help: the job ends as failed. */
  readonly permanent?: boolean | null | undefined;
  /** Instead of the delay of the retry policy. */
  readonly retryAfterSeconds?: number | null | undefined;
}

/**
 * Ends a run with an error: it is tried again by its definition's retry policy, or is over when the error is
 * permanent or its attempts are spent.
 * @returns where the job stands: `queued`, `failed`, `dead_letter`, or `canceled` where that was asked
 *   meanwhile
 * @throws DomainError `Forbidden` `InvalidArgument` `LostLease`
 */
export const failJob = defineUseCase(
  { name: 'failJob', role: 'worker', scope: 'jobs:write', toDo: 'fail jobs', cost: 2 },
  async (deps: RemoteDeps, actor: Caller, given: Lease, failure: Failure): Promise<RunEnd> => {
    const lease = checkLease(given);
    const { type, message, permanent, retryAfterSeconds } = failure;
    const name = type ?? 'Error';
    if (!TYPE.test(name))
      throw refused('type', JSON.stringify(name.slice(0, 120)), '1 to 100 of a-z, A-Z, 0-9, _, -, ., :');
    checkNumber(
      'retryAfterSeconds',
      retryAfterSeconds == null ? null : Math.floor(retryAfterSeconds),
      0,
      MAX_DELAY_SECONDS,
    );
    if (permanent === true && retryAfterSeconds != null)
      throw refused('retryAfterSeconds', 'given for a permanent failure', 'null with permanent');
    const run = await deps.remote.holding(lease, tenantServedBy(actor));
    return endThrown(deps, run, errorOf(name, message, permanent === true, retryAfterSeconds ?? null));
  },
);

/**
 * Puts the job off: it is claimed again after the delay, at no attempt.
 * @throws DomainError `Forbidden` `InvalidArgument` `LostLease`
 */
export const snoozeJob = defineUseCase(
  { name: 'snoozeJob', role: 'worker', scope: 'jobs:write', toDo: 'snooze jobs', cost: 2 },
  async (
    deps: RemoteDeps,
    actor: Caller,
    given: Lease,
    snooze: { readonly delaySeconds: number; readonly reason?: string | null | undefined },
  ): Promise<RunEnd> => {
    const lease = checkLease(given);
    checkNumber('delaySeconds', Math.floor(snooze.delaySeconds), 0, MAX_DELAY_SECONDS);
    const run = await deps.remote.holding(lease, tenantServedBy(actor));
    return endReturned(deps, run, snoozed(snooze.delaySeconds, snooze.reason ?? undefined));
  },
);

/**
 * Gives a job back that was not begun or is not to be finished here, as at a shutdown: no attempt is spent.
 * @throws DomainError `Forbidden` `InvalidArgument` `LostLease`
 */
export const releaseJob = defineUseCase(
  { name: 'releaseJob', role: 'worker', scope: 'jobs:write', toDo: 'give jobs back', cost: 2 },
  async (deps: RemoteDeps, actor: Caller, given: Lease): Promise<RunEnd> => {
    const run = await deps.remote.holding(checkLease(given), tenantServedBy(actor));
    return endHandedBack(deps, run);
  },
);

function errorOf(
  type: string,
  message: string,
  isPermanent: boolean,
  retryAfterSeconds: number | null,
): Error {
  if (isPermanent) return new PermanentError(type, message);
  const error = retryAfterSeconds === null ? new Error(message) : new RetryAfter(retryAfterSeconds, message);
  error.name = type;
  return error;
}
