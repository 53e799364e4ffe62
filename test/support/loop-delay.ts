import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * The longest time that the event loop of this process was held up while something ran, in milliseconds: the least of up to three runs, as
 * other programs of the machine may hold it up as well. Ends at the first run within `enoughMs`.
 */
export async function leastLoopDelayMs(enoughMs: number, work: () => Promise<unknown>): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && leastMs > enoughMs; run++) {
    const delays = monitorEventLoopDelay({ resolution: 5 });
    delays.enable();
    await work();
    delays.disable();
    leastMs = Math.min(leastMs, delays.max / 1e6);
  }
  return leastMs;
}
