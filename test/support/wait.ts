import { setTimeout as delay } from 'node:timers/promises';

/**
 * How long anything is waited for, unless said otherwise: machines that run tests are slow and busy, and what
 * comes is not waited for any longer.
 */
export const WAIT_MS = 400_000;

export type WaitOptions = {
  /** What is waited for, as the end of "waited 10000 ms for …"; a function is called when the time is up. */
  readonly describe: string | (() => string);
  /** Default `WAIT_MS`. */
  readonly timeoutMs?: number;
  /** Pause between two looks, default 10 ms. */
  readonly pollMs?: number;
};

/**
 * Looks until the condition gives something truthy and returns that. What the condition throws is thrown at
 * once.
 *
 * @throws Error saying what was waited for, how long, and what the last look gave
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { describe, timeoutMs = WAIT_MS, pollMs = 10 }: WaitOptions,
): Promise<Exclude<T, undefined | null | false | 0 | ''>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const seen = await condition();
    if (seen) return seen as Exclude<T, undefined | null | false | 0 | ''>;
    if (performance.now() >= deadline) {
      const what = typeof describe === 'function' ? describe() : describe;
      throw new Error(`waited ${timeoutMs} ms for ${what}; the last look gave ${JSON.stringify(seen)}`);
    }
    await delay(pollMs);
  }
}
