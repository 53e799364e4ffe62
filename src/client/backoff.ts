/** How long to wait before another try. */
export interface Backoff {
  /** Most milliseconds before the first one; doubled at each failure in a row. Default 1000. */
  readonly firstMs: number;
  /** Most milliseconds before any. Default 30000. */
  readonly maxMs: number;
}

/**
 * Milliseconds to wait, anything from 0 to the most that this failure asks for: after the restart of a server
 * all its clients come back, and only when they are spread over the whole of it do they not come together.
 * @param failureCount failures in a row so far, from 1
 * @param random a number in [0, 1)
 */
export function backoffMs(
  { firstMs, maxMs }: Backoff,
  failureCount: number,
  random: number = Math.random(),
): number {
  return random * Math.min(maxMs, firstMs * 2 ** Math.min(30, failureCount - 1));
}
