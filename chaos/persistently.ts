import { setTimeout as sleep } from 'node:timers/promises';
import { toError } from '../src/core/errors.ts';
import { classifyError } from '../src/db/retryable.ts';

/** Tries until it works; an error that is not the database's being away is the suite's own and ends it. */
export async function persistently<T>(signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (thrown) {
      const error = toError(thrown);
      signal.throwIfAborted();
      if (classifyError(error) === 'fatal') throw error;
      await sleep(100, undefined, { signal });
    }
  }
}
