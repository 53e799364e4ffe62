const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;

/**
 * Milliseconds to wait before the next try to reach the database: 100 ms, doubled at each failure, at most
 * `longestMs`, of which half is random, so that the processes of one installation don't come back all at the
 * same moment.
 * @param failureCount failures in a row so far, from 1
 * @param longestMs for those who may not wait as long as others. Said here, since a wait that is cut off
 *   afterwards is the same for all
 * @param random a number in [0, 1)
 */
export function backoffMs(
  failureCount: number,
  longestMs: number = LONGEST_DELAY_MS,
  random: number = Math.random(),
): number {
  const full = Math.min(longestMs, FIRST_DELAY_MS * 2 ** Math.min(30, Math.max(0, failureCount - 1)));
  return full * (0.5 + random / 2);
}
