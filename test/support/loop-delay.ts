import { comparableMs } from './slowness.ts';
import { threadCpuMs } from './thread-cpu.ts';

const LOOK_EVERY_MS = 5;

/**
 * The longest time that work held up the event loop of this process while something ran, in milliseconds of
 * the processor: a machine that gives this process little time delays its loop too, which is nobody's fault.
 * On a slow machine, those of a faster one (slowness.ts). The least of up to three runs, as caches and
 * collected garbage differ. Ends at the first run within `enoughMs`.
 */
export async function leastLoopDelayMs(enoughMs: number, work: () => Promise<unknown>): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && leastMs > enoughMs; run++) {
    let longestMs = 0;
    let lookedMs = threadCpuMs();
    const look = (): void => {
      const nowMs = threadCpuMs();
      longestMs = Math.max(longestMs, nowMs - lookedMs);
      lookedMs = nowMs;
    };
    const timer = setInterval(look, LOOK_EVERY_MS);
    try {
      await work();
      look();
    } finally {
      clearInterval(timer);
    }
    leastMs = Math.min(leastMs, comparableMs(longestMs, enoughMs));
  }
  return leastMs;
}
