import { toError } from '../src/core/errors.ts';
import { strayErrorRun } from '../src/runs/abort-reason.ts';
import type { Logger } from '../src/telemetry/log.ts';
import { runScope } from './runtime/run-scope.ts';

/**
 * What to do about an error that nobody awaits. `exit`: the worker stops at once and its process ends;
 * `continue`: it is logged.
 */
export type OnStrayError = 'exit' | 'continue';

export interface StrayErrors {
  /** Resolves at the first that ends the process; never where they are only logged. */
  readonly first: Promise<void>;
  /** Such errors have their ordinary effect again. */
  close(): void;
}

/**
 * Watches for rejections and exceptions that nobody handles, and says which job's handler left them: node
 * ends the process for them, with all that runs in it. The job fails with the error if it still runs; what to
 * do about the others is up to who waits for `first`.
 */
export function watchStrayErrors(log: Logger, what: OnStrayError): StrayErrors {
  const first = Promise.withResolvers<void>();
  const onError = (thrown: unknown): void => {
    const error = toError(thrown);
    const run = runScope.getStore();
    const job =
      run === undefined
        ? {}
        : {
            job_id: run.claimed.lease.jobId,
            definition_key: run.claimed.definitionKey,
            tenant_id: run.claimed.job.tenantId,
            attempt_no: run.claimed.lease.runNo,
            has_ended: run.phase !== 'running',
          };
    log[what === 'exit' ? 'fatal' : 'error'](
      { err: error, ...job, exits: what === 'exit' },
      run === undefined
        ? 'an error that nobody handles'
        : 'a handler left an error behind that nobody handles: await its promises, and catch what its timers throw',
    );
    if (what === 'continue') return;
    run?.abort(strayErrorRun(error));
    first.resolve();
  };
  process.on('uncaughtException', onError).on('unhandledRejection', onError);
  return {
    first: first.promise,
    close: () => void process.off('uncaughtException', onError).off('unhandledRejection', onError),
  };
}
