import { setTimeout as sleep } from 'node:timers/promises';
import { toError } from '../src/core/errors.ts';
import { waitForSchema } from '../src/db/migrate/wait-for-schema.ts';
import { verdictOf } from '../src/db/retryable.ts';
import type { Logger } from '../src/telemetry/log.ts';
import { type OpenWorkerOptions, openWorker } from './open-worker.ts';
import type { RunningWorker } from './runtime/running-worker.ts';

const RETRY_MS = 500;

/**
 * Opens a worker as soon as the database is there with its schema. One that goes away again while the worker starts is waited for
 * as well: a process that ended for it would need somebody to start it anew, in the middle of an outage.
 * @throws the signal's reason when it fires first; whatever `openWorker` throws for another reason
 */
export async function openWhenThere(
  options: OpenWorkerOptions,
  { log, signal }: { readonly log: Logger; readonly signal: AbortSignal },
): Promise<RunningWorker> {
  for (;;) {
    await waitForSchema({ connectionString: options.databaseUrl, log, signal });
    try {
      return await openWorker(options);
    } catch (error) {
      if (verdictOf(error) !== 'reconnect') throw error;
      log.warn({ reason: toError(error).message }, 'worker: the database went away, starting again');
    }
    await sleep(RETRY_MS, undefined, { signal });
  }
}
