/**
 * Milliseconds of the machine's monotonic clock. Unlike `performance.now()` it has one origin for all
 * processes, so that a time taken in one may be subtracted from a time taken in another.
 */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
