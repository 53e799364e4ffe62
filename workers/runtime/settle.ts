import { setTimeout as sleep } from 'node:timers/promises';
import { PermanentError, toError } from '../../src/core/errors.ts';
import type { Finish, FinishResult, RunMeasure, WorkerQueue } from '../../src/core/queue.ts';
import { backoffMs } from '../../src/db/backoff.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import { toJobError } from './job-error.ts';
import type { Run } from './run.ts';
import { judgeSettleError } from './settle-verdict.ts';

export interface SettleDeps {
  readonly queue: WorkerQueue;
  /** Why a job is to be canceled, in the words of whoever asked. */
  readonly cancelReasonOf: (run: Run) => Promise<string | null>;
  /** Fires when the process cannot wait for the database any longer. */
  readonly giveUp: AbortSignal;
}

/** `unsettled`: it could not be written; the lease is left to run out. */
export type SettleResult = Exclude<FinishResult, 'cancelRequested'> | 'unsettled';

/**
 * Writes how a run ended, and does not let go of it before that is done: while the database is away nobody else can have
 * the job, so the result is kept and tried again. Trying again is safe, since the fence lets one settlement through.
 * What the database will not store (a result too large, a constraint) ends the job as a permanent `SettleError`.
 */
export async function settle(
  run: Run,
  finish: Finish,
  measure: RunMeasure,
  logOf: () => Logger,
  deps: SettleDeps,
): Promise<SettleResult> {
  run.phase = 'settling';
  let current = finish;
  let failures = 0;
  let unsure = false;
  for (;;) {
    try {
      const result = await deps.queue.finish(run.claimed, current, measure);
      if (result === 'cancelRequested') {
        const reason = (await deps.cancelReasonOf(run)) ?? 'canceled';
        current = { kind: 'final', settlement: { status: 'canceled', reason } };
        continue;
      }
      if (result === 'notOwner') logNotOwner(logOf(), unsure);
      return result;
    } catch (thrown) {
      const error = toError(thrown);
      failures++;
      const verdict = judgeSettleError(error);
      if (verdict === 'refused') {
        if (isSettleError(current)) {
          logOf().error(
            { err: error },
            'settle: not even the error could be stored; the lease is left to run out',
          );
          return 'unsettled';
        }
        logOf().error({ err: error }, 'settle: the outcome could not be stored; the job fails');
        current = settleErrorOf(run, error);
        failures = 0;
        continue;
      }
      unsure = true;
      if (failures === 1) logOf().warn({ reason: error.message }, 'settle: no answer, trying again');
      if (deps.giveUp.aborted) {
        logOf().error(
          { reason: error.message },
          'settle: given up at shutdown; the lease is left to run out',
        );
        return 'unsettled';
      }
      await sleep(Math.min(1_000, backoffMs(failures)), undefined, { signal: deps.giveUp }).catch(
        () => undefined,
      );
    }
  }
}

function logNotOwner(log: Logger, unsure: boolean): void {
  if (unsure)
    log.info('settle: already written by an earlier try whose answer was lost, or the lease is gone');
  else log.warn('settle: the lease is not ours any more; nothing was changed');
}

const SETTLE_ERROR = 'SettleError';

function settleErrorOf(run: Run, error: Error): Finish {
  const cause = new PermanentError(
    SETTLE_ERROR,
    `The outcome of the run could not be stored: ${error.message}`,
  );
  const settlement = { status: 'failed', error: toJobError(cause, run.claimed.job.attemptCount) } as const;
  return { kind: 'final', settlement };
}

function isSettleError(finish: Finish): boolean {
  return (
    finish.kind === 'final' &&
    finish.settlement.status === 'failed' &&
    finish.settlement.error.type === SETTLE_ERROR
  );
}
