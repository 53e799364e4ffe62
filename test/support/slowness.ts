import { threadCpuMs } from './thread-cpu.ts';

/** What the work below takes on a machine for which the limits of tests were chosen. */
const REFERENCE_MS = 45;

let sample: string | undefined;

/**
 * What this machine took beyond a limit, as the one takes it for which the limit was chosen: the same work
 * takes twice the time of an old processor, or of one whose second thread is busy. What is within its limit
 * stays as it is.
 * @param tookMs of the processor
 */
export function comparableMs(tookMs: number, limitMs: number): number {
  return tookMs > limitMs ? tookMs / slowness() : tookMs;
}

/**
 * How many times as long the same work takes here; 1 on a faster machine. Measured at each call, as that
 * changes.
 */
function slowness(): number {
  return Math.max(1, Math.min(workMs(), workMs(), workMs()) / REFERENCE_MS);
}

/** Of the kinds that take the time of a server: reading and writing JSON, sorting, looking through texts. */
function workMs(): number {
  sample ??= JSON.stringify(
    Array.from({ length: 40_000 }, (_, at) => ({ id: `job-${at}`, name: 'é😀"\n'.repeat(3), at })),
  );
  const startedMs = threadCpuMs();
  const rows: { id: string }[] = JSON.parse(sample);
  rows.sort((one, two) => (one.id < two.id ? -1 : 1));
  JSON.stringify(rows)
    .replace(/[^\x20-\x7e]/g, '?')
    .toWellFormed();
  return threadCpuMs() - startedMs;
}
