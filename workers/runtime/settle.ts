import { setTimeout as sleep } from 'node:timers/promises';
import { PermanentError, toError } from '../../src/core/errors.ts';
import { notifyListener } from '../../src/core/notify-listener.ts';
import type { Finish, FinishListener, FinishResult, RunMeasure, WorkerQueue } from '../../src/core/queue.ts';
import { backoffMs } from '../../src/db/backoff.ts';
import { toJobError } from '../../src/runs/job-error.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import { logOfRun } from './log-of-run.ts';
import type { Run } from './run.ts';
import { judgeSettleError } from './settle-decision.ts';

export interface SettleDeps {
  readonly queue: WorkerQueue;
  /** Why a job is to be canceled, in the words of the caller that asked. */
  readonly cancelReasonOf: (run: Run) => Promise<string | null>;
  /** Fires when the process cannot wait for the database any longer. */
  readonly abandon: AbortSignal;
  readonly log: Logger;
}

/** `unsettled`: it could not be written; the lease is left to run out. */
export type SettleResult = Exclude<FinishResult, 'cancelRequested'> | 'unsettled';

/**
 * Writes how a run ended: the first try, which nearly always is all there is to it. For any other answer than
 * `settled`, `retrySettle`.
 */
export function settle(
  run: Run,
  finish: Finish,
  measure: RunMeasure,
  { queue }: SettleDeps,
  listener: FinishListener,
): void {
  run.phase = 'settling';
  if (queue.finishWithCallback !== undefined) {
    queue.finishWithCallback(run.claimed, finish, measure, listener);
    return;
  }
  notifyListener(queue.finish(run.claimed, finish, measure), listener);
}

/**
 * Goes on after a first try that settled nothing, and keeps the run before that is done: while the database
 * is away nobody else can have the job, so the result is kept and tried again. Trying again is safe, since
 * the fence lets one settlement through. What cannot be written ends the job as a permanent failure:
 * `UnwritableResult` and `ResultTooLarge` for results, otherwise `SettleError`.
 * @param answer to the first try
 */
export async function retrySettle(
  run: Run,
  finish: Finish,
  measure: RunMeasure,
  answer: Promise<FinishResult>,
  deps: SettleDeps,
): Promise<SettleResult> {
  const log = logOfRun(run, deps.log);
  let current = finish;
  let answering = answer;
  let failures = 0;
  let unsure = false;
  let isRefused = false;
  for (;;) {
    try {
      const result = await answering;
      if (result !== 'cancelRequested') {
        if (result === 'notOwner') logNotOwner(log, unsure);
        return result;
      }
      const reason = (await deps.cancelReasonOf(run)) ?? 'canceled';
      current = { kind: 'final', settlement: { status: 'canceled', reason } };
    } catch (thrown) {
      const error = toError(thrown);
      failures++;
      if (judgeSettleError(error) === 'refused') {
        if (isRefused) {
          log.error(
            { err: error },
            'settle: not even the error could be stored; the lease is left to run out',
          );
          return 'unsettled';
        }
        log.error({ err: error }, 'settle: the outcome could not be stored; the job fails');
        current = settleErrorOf(run, error);
        isRefused = true;
        failures = 0;
      } else {
        unsure = true;
        if (failures === 1) log.warn({ reason: error.message }, 'settle: no answer, trying again');
        if (deps.abandon.aborted) {
          log.error({ reason: error.message }, 'settle: given up at shutdown; the lease is left to run out');
          return 'unsettled';
        }
        await sleep(Math.min(1_000, backoffMs(failures)), undefined, { signal: deps.abandon }).catch(
          () => undefined,
        );
      }
    }
    answering = deps.queue.finish(run.claimed, current, measure);
  }
}

function logNotOwner(log: Logger, unsure: boolean): void {
  if (unsure)
    log.info('settle: already written by an earlier try whose answer was lost, or the lease is gone');
  else log.warn('settle: the lease is not ours any more; nothing was changed');
}

function settleErrorOf(run: Run, error: Error): Finish {
  const cause =
    error instanceof PermanentError
      ? error
      : new PermanentError('SettleError', `The outcome of the run could not be stored: ${error.message}`);
  const settlement = { status: 'failed', error: toJobError(cause, run.claimed.job.attemptCount) } as const;
  return { kind: 'final', settlement };
}
