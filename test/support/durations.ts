import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PATH = fileURLToPath(new URL('durations.json', import.meta.url));
/** Of a file that is newer than the record. */
const UNKNOWN_SECONDS = 10;

const recorded = read();

/**
 * How long a test file took in the run that was recorded, seconds. Only their order counts, which hardly
 * differs from machine to machine.
 * @param path from the repository's root
 */
export function secondsOf(path: string): number {
  return recorded[path] ?? UNKNOWN_SECONDS;
}

/** Records a run's durations, longest first; files of less than a second are left to share one number. */
export function recordDurations(secondsByFile: Readonly<Record<string, number>>): void {
  const sorted = Object.entries(secondsByFile)
    .map(([path, seconds]) => [path, Math.max(1, Math.round(seconds))] as const)
    .toSorted(([pathA, a], [pathB, b]) => b - a || (pathA < pathB ? -1 : 1));
  writeFileSync(PATH, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

function read(): Readonly<Record<string, number>> {
  try {
    return JSON.parse(readFileSync(PATH, 'utf8'));
  } catch {
    return {};
  }
}
