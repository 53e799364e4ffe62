import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule, TestSuite } from 'vitest/node';
import { addCounts, type Counts, type RunCounts, summary } from './counts.ts';

/**
 * Prints `N passed, N failed[, N skipped]` as the very last line of a run, whatever way the run ends. Besides failed
 * tests it counts as failed: each file that can't be loaded, each hook that throws, each error outside of all tests,
 * and a run that ran nothing or did not come to its end. With MILLRACE_TEST_COUNTS it writes them into that file instead, by
 * test file: for `npm test`, which gives a file a second try.
 */
export default class CountReporter implements Reporter {
  #counts: RunCounts = { files: {}, elsewhere: 1 };

  onInit(): void {
    const path = process.env['MILLRACE_TEST_COUNTS'];
    // Teardown may still print something: the line is written when the process ends.
    process.once('exit', () => {
      if (path !== undefined) writeFileSync(path, JSON.stringify(this.#counts));
      else process.stdout.write(`${summary(addCounts(this.#counts))}\n`);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const files: Record<string, Counts> = {};
    for (const module of modules) files[module.relativeModuleId] = countModule(module);
    let elsewhere = 0;
    for (const error of unhandledErrors) {
      const file = Object.keys(files).find((path) => originOf(error).endsWith(path));
      if (file === undefined) elsewhere++;
      else (files[file] as Counts).failed++;
    }
    if (Object.values(files).every(({ passed, failed, skipped }) => passed + failed + skipped === 0)) {
      process.stdout.write('no test was run\n');
      elsewhere++;
    }
    this.#counts = { files, elsewhere };
  }
}

/** The file that was being run when an error came that no test caught. */
function originOf(error: unknown): string {
  const { VITEST_TEST_PATH: path } = error as { readonly VITEST_TEST_PATH?: unknown };
  return typeof path === 'string' ? path : '';
}

function countModule(module: TestModule): Counts {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const holder of [module, ...module.children.allSuites()] satisfies (TestModule | TestSuite)[]) {
    if (holder.errors().length > 0) counts.failed++;
  }
  for (const test of module.children.allTests()) {
    const result = test.result();
    if (result.state === 'passed') counts.passed++;
    else if (result.state === 'skipped') {
      counts.skipped++;
      const reason = result.note ?? 'no reason given';
      process.stdout.write(`skipped: ${module.relativeModuleId} > ${test.fullName} (${reason})\n`);
    } else counts.failed++; // failed, or never came to an end
  }
  if (module.state() === 'failed' && counts.failed === 0) counts.failed++;
  return counts;
}
