/**
 * `npm test`: runs all tests; a file in which something failed is run again, in a new process and so on a
 * new database, when the rest is done. Tests start processes, kill them and wait, on machines that may be
 * busy with other things: what fails then says nothing, a real fault fails twice. A second try beside what
 * the first one left would say as little. With arguments, as `npm test -- test/core`, it is vitest with these
 * arguments and one try; `npm test -- --record` runs all and notes how long each file took, by which the next
 * runs are ordered.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  addCounts,
  type Failure,
  failureLines,
  failuresOf,
  type RunCounts,
  secondTryLine,
  summary,
} from '../test/support/counts.ts';
import { recordDurations } from '../test/support/durations.ts';

/** More than these are no accident. */
const MAX_FILES_AGAIN = 6;
const VITEST = join(import.meta.dirname, '..', 'node_modules', 'vitest', 'vitest.mjs');

const args = process.argv.slice(2);
const isRecorded = args.length === 1 && args[0] === '--record';
process.exitCode = args.length > 0 && !isRecorded ? vitest(args) : runAll();

function vitest(args: readonly string[], env: Readonly<Record<string, string>> = {}): number {
  const { status } = spawnSync(process.execPath, [VITEST, 'run', ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return status ?? 1;
}

function runAll(): number {
  const first = counted([]);
  if (isRecorded) {
    const seconds = Object.entries(first.files).map(([path, file]) => [path, file.seconds] as const);
    recordDurations(Object.fromEntries(seconds));
  }
  const again = Object.keys(first.files).filter((path) => (first.files[path]?.failed ?? 0) > 0);
  const mayRunAgain = again.length > 0 && again.length <= MAX_FILES_AGAIN && first.elsewhere.length === 0;
  if (!mayRunAgain) return report(first);
  process.stdout.write(`\nAgain, on new databases:\n${again.map((path) => `  ${path}\n`).join('')}`);
  const second = counted(again);
  // Only what was asked for, and all of it, counts as a second try.
  const files = { ...first.files };
  const shaky: Failure[] = [];
  let secondTries = 0;
  for (const path of again) {
    const counts = second.files[path];
    if (counts === undefined) continue;
    if (counts.failed === 0) {
      secondTries++;
      shaky.push(...(files[path]?.failures ?? []));
    }
    files[path] = counts;
  }
  return report({ files, elsewhere: second.elsewhere }, shaky, secondTries);
}

/**
 * The last lines: what failed, what passed at its second try only, each with its first error, and the counts.
 */
function report(counts: RunCounts, shaky: readonly Failure[] = [], secondTries = 0): number {
  const all = addCounts(counts);
  process.stdout.write(
    `\n${failureLines('second try', shaky)}${failureLines('failed', failuresOf(counts))}${secondTryLine(secondTries)}${summary(all)}\n`,
  );
  return all.failed === 0 ? 0 : 1;
}

/** Runs these files, or all. A run that does not come to its end counts as a failure. */
function counted(files: readonly string[]): RunCounts {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-test-counts-'));
  const path = join(folder, 'counts.json');
  try {
    const status = vitest(files, { MILLRACE_TEST_COUNTS: path });
    const counts = JSON.parse(readFileSync(path, 'utf8')) as RunCounts;
    if (status === 0 || addCounts(counts).failed > 0) return counts;
    // Vitest ends badly for other reasons too, as a teardown that fails.
    return { ...counts, elsewhere: [{ name: 'the run', error: `vitest ended with ${status}` }] };
  } catch (error) {
    return { files: {}, elsewhere: [{ name: 'the run', error: String(error) }] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
