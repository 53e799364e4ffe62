import { setTimeout as sleep } from 'node:timers/promises';
import { toError } from '../core/errors.ts';
import { backoffMs } from '../db/backoff.ts';
import type { OutageLog } from '../db/outage-log.ts';
import { classifyError } from '../db/retryable.ts';

/**
 * Reads, and waits out what is only an outage.
 * @param isOver nobody needs it any more: then it gives undefined instead of trying again
 * @throws whatever the database says that trying again would not change
 */
export async function retryDuringOutage<T>(
  read: () => Promise<T>,
  outages: OutageLog,
  isOver: () => boolean,
): Promise<T | undefined> {
  for (let failures = 1; !isOver(); failures++) {
    try {
      const result = await read();
      outages.recovered();
      return result;
    } catch (error) {
      if (classifyError(error) === 'fatal') throw error;
      outages.failed(toError(error));
      // Nothing but this waits: a process that is otherwise done need not stay for it.
      await sleep(backoffMs(failures), undefined, { ref: false });
    }
  }
  return undefined;
}
