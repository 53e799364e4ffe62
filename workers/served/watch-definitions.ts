import type { DefinitionRecords } from '../../src/core/definition-records.ts';
import { toError } from '../../src/core/errors.ts';
import { createOutageLog } from '../../src/db/outage-log.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import type { ServedDefinitions } from './served-definitions.ts';

/** One statement by the index of keys; what an operator sets is in force everywhere within this time. */
const LOOK_EVERY_MS = 2_000;

export interface DefinitionWatch {
  stop(): Promise<void>;
}

/**
 * Keeps the served definitions as their rows are, so that one made at run time is served without a restart.
 * @param onChanged called after each change
 */
export function watchDefinitions(
  served: ServedDefinitions,
  deps: {
    readonly queue: Pick<DefinitionRecords, 'readDefinitions'>;
    readonly log: Logger;
    readonly onChanged: () => void;
  },
  everyMs = LOOK_EVERY_MS,
): DefinitionWatch {
  const outages = createOutageLog(deps.log, 'definitions');
  const keys = [...new Set([...served.keys, ...[...served.byId.values()].map(({ key }) => key)])];
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const look = async (): Promise<void> => {
    try {
      const isChanged = served.update(await deps.queue.readDefinitions(keys));
      outages.recovered();
      if (isChanged) deps.onChanged();
    } catch (thrown) {
      outages.failed(toError(thrown));
    }
    arm();
  };
  let looking: Promise<void> = Promise.resolve();
  const arm = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      looking = look();
    }, everyMs);
    timer.unref();
  };
  arm();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
