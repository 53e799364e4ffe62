import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestModule, TestSuite } from 'vitest/node';
import {
  addCounts,
  type Failure,
  type FileCounts,
  failureLines,
  failuresOf,
  type RunCounts,
  summary,
} from './counts.ts';

const MAX_ERROR_LENGTH = 300;

/**
 * Prints each failure with its first error as soon as its file has ended, again at the end, and
 * `N passed, N failed[, N skipped]` as the very last line of a run, whatever way the run ends. Besides failed
 * tests it counts as failed: each file that can't be loaded, each hook that throws, each error outside of all
 * tests, and a run that ran nothing or did not come to its end. With MILLRACE_TEST_COUNTS it writes all of it
 * into that file instead, by test file: for `npm test`, which gives a file a second try.
 */
export default class CountReporter implements Reporter {
  readonly #files: Record<string, FileCounts> = {};
  /** A run that is stopped has what was counted until then. */
  #counts: RunCounts = {
    files: this.#files,
    elsewhere: [{ name: 'the run', error: 'it did not come to its end' }],
  };

  onInit(): void {
    const path = process.env['MILLRACE_TEST_COUNTS'];
    // Teardown may still print something: the lines are written when the process ends.
    process.once('exit', () => {
      if (path !== undefined) writeFileSync(path, JSON.stringify(this.#counts));
      else {
        process.stdout.write(
          `${failureLines('failed', failuresOf(this.#counts))}${summary(addCounts(this.#counts))}\n`,
        );
      }
    });
  }

  onTestModuleEnd(module: TestModule): void {
    const counts = countModule(module);
    this.#files[module.relativeModuleId] = counts;
    process.stdout.write(failureLines('fails', counts.failures));
    for (const test of module.children.allTests('skipped')) {
      const result = test.result();
      const reason = (result.state === 'skipped' && result.note) || 'no reason given';
      process.stdout.write(`skipped: ${module.relativeModuleId} > ${test.fullName} (${reason})\n`);
    }
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const files: Record<string, FileCounts> = {};
    for (const module of modules) files[module.relativeModuleId] = countModule(module);
    const elsewhere: Failure[] = [];
    for (const error of unhandledErrors) {
      const file = Object.keys(files).find((path) => originOf(error).endsWith(path));
      if (file === undefined) elsewhere.push({ name: 'outside of all files', error: firstLine([error]) });
      else {
        const counts = files[file] as FileCounts;
        counts.failed++;
        counts.failures.push({ name: `${file} > outside of all tests`, error: firstLine([error]) });
      }
    }
    if (Object.values(files).every(({ passed, failed, skipped }) => passed + failed + skipped === 0))
      elsewhere.push({ name: 'the run', error: 'no test was run' });
    this.#counts = { files, elsewhere };
  }
}

/** The file that was being run when an error came that no test caught. */
function originOf(error: unknown): string {
  const { VITEST_TEST_PATH: path } = error as { readonly VITEST_TEST_PATH?: unknown };
  return typeof path === 'string' ? path : '';
}

function countModule(module: TestModule): FileCounts {
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  const seconds = (duration + collectDuration + setupDuration) / 1000;
  const counts: FileCounts = { passed: 0, failed: 0, skipped: 0, seconds, failures: [] };
  const fail = (name: string, errors: readonly unknown[]): void => {
    counts.failed++;
    counts.failures.push({ name, error: firstLine(errors) });
  };
  for (const holder of [module, ...module.children.allSuites()] satisfies (TestModule | TestSuite)[]) {
    const where = holder.type === 'suite' ? ` > ${holder.fullName}` : '';
    if (holder.errors().length > 0) fail(`${module.relativeModuleId}${where}`, holder.errors());
  }
  for (const test of module.children.allTests()) {
    const result = test.result();
    const name = `${module.relativeModuleId} > ${test.fullName}`;
    if (result.state === 'passed') counts.passed++;
    else if (result.state === 'skipped') counts.skipped++;
    else fail(name, result.errors ?? ['it never came to an end']);
  }
  if (module.state() === 'failed' && counts.failed === 0)
    fail(module.relativeModuleId, ['the file failed without an error']);
  return counts;
}

function firstLine(errors: readonly unknown[]): string {
  const [error] = errors;
  const { name = 'Error', message = String(error) } = (
    typeof error === 'object' && error !== null ? error : {}
  ) as { readonly name?: string; readonly message?: string };
  const text = typeof error === 'string' ? error : `${name}: ${message}`;
  const [line = ''] = stripVTControlCharacters(text).split('\n');
  return line.slice(0, MAX_ERROR_LENGTH);
}
