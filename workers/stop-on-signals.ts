import type { Logger } from '../src/telemetry/log.ts';

/** Counts the requests to stop. */
export interface StopSignals {
  /** Resolves at the first. */
  readonly first: Promise<void>;
  /** Called at the first, at once if it has already come. */
  onFirst(call: () => void): void;
  /** Called at the second, at once if it has already come. */
  onSecond(call: () => void): void;
  /** Signals have their ordinary effect again. */
  close(): void;
}

/**
 * SIGTERM or SIGINT: the first asks for a graceful stop, the second for an immediate one, the third ends the
 * process as it is.
 */
export function stopOnSignals(log: Logger): StopSignals {
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  let count = 0;
  const onSignal = (signal: NodeJS.Signals): void => {
    count++;
    log.info({ signal, count }, count === 1 ? 'stopping; again stops at once' : 'stopping at once');
    if (count === 1) first.resolve();
    else if (count === 2) second.resolve();
    else process.exit(1);
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  return {
    first: first.promise,
    onFirst: (call) => void first.promise.then(call),
    onSecond: (call) => void second.promise.then(call),
    close: () => void process.off('SIGTERM', onSignal).off('SIGINT', onSignal),
  };
}
