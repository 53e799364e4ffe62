import { DomainError, PermanentError, toError } from '../../../core/errors.ts';
import { lostLease } from '../../../core/lost-lease.ts';
import type { Outcome } from '../../../core/outcome.ts';
import type { Finish } from '../../../core/queue.ts';
import { SecretMask } from '../../../core/redaction/secret-mask.ts';
import type { HeldRun } from '../../../core/remote-work.ts';
import { refusesData } from '../../../db/retryable.ts';
import { maskFinish } from '../../../runs/mask-finish.ts';
import { type Ended, finishOf } from '../../../runs/normalise.ts';
import type { RemoteDeps } from './deps.ts';
import { openPayload } from './open-payload.ts';

/** How a run has ended: where its job stands now. */
export type RunEnd = 'succeeded' | 'failed' | 'dead_letter' | 'canceled' | 'queued';

/**
 * Ends a run with what its worker returned. @throws DomainError `LostLease` `InvalidArgument`
 * `PayloadTooLarge`
 */
export async function endReturned(deps: RemoteDeps, run: HeldRun, outcome: Outcome): Promise<RunEnd> {
  return end(deps, run, { kind: 'returned', outcome });
}

/**
 * Ends a run with an error: by its definition's retry policy, unless the error says otherwise. @throws
 * DomainError `LostLease`
 */
export async function endThrown(
  deps: RemoteDeps,
  run: HeldRun,
  error: Error,
  timedOut = false,
): Promise<RunEnd> {
  return end(deps, run, { kind: 'threw', error }, timedOut);
}

/** Puts a run back, unspent. @throws DomainError `LostLease` */
export async function endHandedBack(deps: RemoteDeps, run: HeldRun): Promise<RunEnd> {
  return write(deps, run, { kind: 'handBack' });
}

async function end(deps: RemoteDeps, run: HeldRun, ended: Ended, timedOut = false): Promise<RunEnd> {
  const { job, definition, heldMs } = run;
  const finish = finishOf({
    ended,
    aborted: null,
    lost: false,
    job,
    definition,
    heldMs,
    random: Math.random(),
  });
  if (finish === null) throw lostLease(run.lease);
  return write(
    deps,
    run,
    timedOut && 'kind' in finish && finish.kind !== 'handBack'
      ? ({ ...finish, timedOut: true } as Finish)
      : finish,
  );
}

/**
 * Secrets of the payload are masked in what the worker said; a job that was to go on and is to be canceled
 * ends as canceled.
 */
async function write(deps: RemoteDeps, run: HeldRun, finish: Finish): Promise<RunEnd> {
  const masked = maskFinish({ mask: maskOf(deps, run) }, finish);
  const result = await finishing(deps, run, masked);
  if (result === 'notOwner') throw lostLease(run.lease);
  if (result === 'settled') return endOf(masked);
  const reason = (await deps.remote.holding(run.lease, null)).job.reason ?? 'canceled';
  const canceled: Finish = { kind: 'final', settlement: { status: 'canceled', reason } };
  if ((await deps.remote.finish(run, canceled)) !== 'settled') throw lostLease(run.lease);
  return 'canceled';
}

/**
 * What the database does not take is the caller's to change: the run goes on, and may be ended in another
 * way.
 */
async function finishing(deps: RemoteDeps, run: HeldRun, finish: Finish) {
  try {
    return await deps.remote.finish(run, finish);
  } catch (thrown) {
    const error = toError(thrown);
    if (error instanceof DomainError) throw error;
    if (error instanceof PermanentError && error.type === 'ResultTooLarge')
      throw new DomainError('PayloadTooLarge', error.message, { field: 'result' }, error);
    if (error instanceof PermanentError || refusesData(error))
      throw new DomainError(
        'InvalidArgument',
        `The outcome cannot be stored: ${error.message}`,
        { field: 'result', allowed: 'JSON that Postgres takes' },
        error,
      );
    throw error;
  }
}

function endOf(finish: Finish): RunEnd {
  return finish.kind === 'final' ? finish.settlement.status : 'queued';
}

function maskOf(deps: RemoteDeps, run: HeldRun): SecretMask | null {
  try {
    return SecretMask.of(run.definition.payload, openPayload(deps, run, run.definition));
  } catch {
    // It does not fit its schema any more, or cannot be decrypted: the worker has not had it from us either.
    return SecretMask.of(run.definition.payload, run.job.payload);
  }
}
