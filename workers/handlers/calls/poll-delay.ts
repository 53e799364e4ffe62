const FIRST_SECONDS = 10;
const MOST_SECONDS = 60;

/**
 * Seconds until the next look at an operation: the fixed interval where one is set, else 10 s that grow by
 * half each time, to 60.
 * @param passedMs since the operation began; looks at 10, 25, 47 s … make it grow by itself, whichever worker
 *   looks
 */
export function pollDelaySeconds(passedMs: number, intervalMs: number | null): number {
  if (intervalMs !== null) return intervalMs / 1000;
  return Math.min(MOST_SECONDS, FIRST_SECONDS + Math.max(0, passedMs) / 2000);
}
