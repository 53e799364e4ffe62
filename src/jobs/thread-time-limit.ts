import type { Worker } from 'node:worker_threads';

/** By the clock a thread may take this many times its limit, where the machine is busy with other things. */
const MAX_WAIT_FACTOR = 20;
const LEAST_PAUSE_MS = 10;

/**
 * Calls `onOver` once, when a thread has used `limitMs` milliseconds of the processor from now on, or is
 * gone: what a busy machine does for others is not the thread's fault. Node before 24.6 can't say what a
 * thread used: there the limit is by the clock.
 * @returns ends the watch
 */
export function limitThreadTime(worker: Worker, limitMs: number, onOver: () => void): () => void {
  const endMs = performance.now() + MAX_WAIT_FACTOR * limitMs;
  const began = usedMsOf(worker);
  let isEnded = false;
  let timer = setTimeout(look, limitMs);

  async function look(): Promise<void> {
    const leftMs = limitMs - ((await usedMsOf(worker)) - (await began));
    if (isEnded) return;
    if (leftMs > 0 && performance.now() < endMs) timer = setTimeout(look, Math.max(leftMs, LEAST_PAUSE_MS));
    else onOver();
  }

  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}

/** `NaN` of a thread that is gone. */
async function usedMsOf(worker: Worker): Promise<number> {
  if (typeof worker.cpuUsage !== 'function') return performance.now();
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return Number.NaN;
  }
}
