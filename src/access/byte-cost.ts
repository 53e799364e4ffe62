/** What comes with any operation: its document and small variables. */
const FREE_BYTES = 4 * 1024;
/** Reading, checking and storing a KiB takes about as long as ten fields do. */
const COST_A_KIB = 10;

/**
 * Above this a message is read in its turn, see `PacedTurns`; reading a smaller one takes a millisecond at
 * most.
 */
export const LARGE_MESSAGE_BYTES = 16 * 1024;

/** What the bytes of a request or message cost, beside the operation in it. */
export function byteCostOf(bytes: number): number {
  return Math.ceil(Math.max(0, bytes - FREE_BYTES) / 1024) * COST_A_KIB;
}
