import type { Reporter, TestModule, TestSuite } from 'vitest/node';

type Counts = { passed: number; failed: number; skipped: number };

/**
 * Prints `N passed, N failed[, N skipped]` as the very last line of a run, whatever way the run ends. Besides failed
 * tests it counts as failed: each file that can't be loaded, each hook that throws, each error outside of all tests,
 * and a run that ran nothing or did not come to its end.
 */
export default class CountReporter implements Reporter {
  #counts: Counts = { passed: 0, failed: 1, skipped: 0 };

  onInit(): void {
    // Teardown may still print something: the line is written when the process ends.
    process.once('exit', () => process.stdout.write(`${summary(this.#counts)}\n`));
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts: Counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) countModule(module, counts);
    if (counts.passed + counts.failed + counts.skipped === 0) {
      process.stdout.write('no test was run\n');
      counts.failed = 1;
    }
    this.#counts = counts;
  }
}

function countModule(module: TestModule, counts: Counts): void {
  const failedBefore = counts.failed;
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
  if (module.state() === 'failed' && counts.failed === failedBefore) counts.failed++;
}

function summary({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
