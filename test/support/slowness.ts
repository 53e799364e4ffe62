import { threadCpuMs } from './thread-cpu.ts';

/** What the work below takes on a machine for which the limits of tests were chosen. */
const REFERENCE_MS = 45;

let sample: string | undefined;

/**
 * How many times the time of the processor this machine takes for the same work as the one for which the
 * limits of tests were chosen; 1 on a faster one. What a program is promised to take is divided by it: the
 * same work takes twice the time of an old processor, of one that is throttled, or of one whose second thread
 * is busy. Measured at each call, as that changes; the least of three.
 */
export function slowness(): number {
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
