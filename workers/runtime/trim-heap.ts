import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { RunningWorker } from './running-worker.ts';

const LOOK_EVERY_MS = 1_000;
/** Idle looks in a row before anything is done: between two jobs of a stream nothing is. */
const QUIET_LOOKS = 3;
/** Less than this is not worth the pause. */
const WORTH_BYTES = 24 * 1024 * 1024;

/**
 * Gives memory back behind a burst of jobs, for a process that is a worker and nothing else. V8 clears up
 * only as the heap grows, so an idle worker would keep the 60 MB of garbage that its last jobs left, for as
 * long as it idles. One collection (30 ms, once a burst) makes V8 see that little is allocated any more, upon
 * which it returns the pages by itself within 20 s.
 */
export function trimHeapWhenIdle(worker: Pick<RunningWorker, 'runningCount'>): void {
  let quietLooks = 0;
  let leastBytes = process.memoryUsage.rss();
  const look = (): void => {
    quietLooks = worker.runningCount === 0 ? quietLooks + 1 : 0;
    if (quietLooks < QUIET_LOOKS) return;
    const bytes = process.memoryUsage.rss();
    // What a collection does not return is a handler's own, and no reason for another.
    const isWorth = bytes - leastBytes >= WORTH_BYTES;
    if (isWorth) collect();
    leastBytes = isWorth ? bytes : Math.min(leastBytes, bytes);
  };
  setInterval(look, LOOK_EVERY_MS).unref();
}

function collect(): void {
  v8.setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  v8.setFlagsFromString('--no-expose-gc');
}
