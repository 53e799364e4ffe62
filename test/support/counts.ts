export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** What came of a run, by test file. */
export interface RunCounts {
  readonly files: Readonly<Record<string, Counts>>;
  /** Failures that belong to no file. */
  readonly elsewhere: number;
}

/** All files of a run together. */
export function addCounts({ files, elsewhere }: RunCounts): Counts {
  const all = { passed: 0, failed: elsewhere, skipped: 0 };
  for (const { passed, failed, skipped } of Object.values(files)) {
    all.passed += passed;
    all.failed += failed;
    all.skipped += skipped;
  }
  return all;
}

/** `N passed, N failed[, N skipped]` */
export function summary({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
