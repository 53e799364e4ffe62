import { setTimeout as sleep } from 'node:timers/promises';
import { toError } from '../core/errors.ts';
import type { Logger } from '../telemetry/log.ts';
import { backoffMs } from './backoff.ts';
import { createOutageLog } from './outage-log.ts';
import { classifyError } from './retryable.ts';

/**
 * Does work again and again for as long as the database is away, or what it needs is held by somebody else.
 * @param what names the work in the log
 * @throws whatever the work throws for another reason; the signal's reason when it fires first
 */
export async function retryUntilAvailable<T>(
  what: string,
  work: () => Promise<T>,
  { log, signal }: { readonly log: Logger; readonly signal: AbortSignal },
): Promise<T> {
  const outages = createOutageLog(log, what);
  for (let failures = 1; ; failures++) {
    try {
      const result = await work();
      outages.recovered();
      return result;
    } catch (error) {
      const errorClass = classifyError(error);
      if (errorClass !== 'reconnect' && errorClass !== 'busy') throw error;
      outages.failed(toError(error));
    }
    await sleep(backoffMs(failures, 2_000), undefined, { signal });
  }
}
