import { setTimeout as sleep } from 'node:timers/promises';
import type { PayloadOf } from '../../../src/core/definition.ts';
import { done } from '../../../src/core/outcome.ts';
import type { echo as definition } from '../../../src/domains/echo/echo.ts';
import type { Handler } from '../../handler.ts';

/** Says its message in steps, spread over `durationMs`; fails while fewer than `failTimes` runs have. */
export const echo: Handler<PayloadOf<typeof definition>> = async ({
  payload,
  attemptCount,
  signal,
  log,
  progress,
}) => {
  const { message, steps = 1, durationMs = 0, failTimes = 0 } = payload;
  for (let step = 1; step <= steps; step++) {
    signal.throwIfAborted();
    if (durationMs > 0) await sleep(durationMs / steps, undefined, { signal });
    progress({ percent: (100 * step) / steps, stage: 'echo', message: `step ${step} of ${steps}` });
    log.debug('echo', { step, steps });
    if (attemptCount < failTimes) {
      throw new Error(`Failing as asked: run ${attemptCount + 1} of the ${failTimes} that fail`);
    }
  }
  return done({ message, steps });
};
