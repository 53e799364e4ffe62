export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** A test, hook or file that failed. */
export interface Failure {
  /** The file, and the full name of the test where it is one: `test/a.test.ts > group > title`. */
  readonly name: string;
  /** The first line of its first error. */
  readonly error: string;
}

export interface FileCounts extends Counts {
  /** From its start to its end, hooks and loading of modules included. */
  readonly seconds: number;
  readonly failures: Failure[];
}

/** The outcome of a run, by test file. */
export interface RunCounts {
  readonly files: Readonly<Record<string, FileCounts>>;
  /** Failures that belong to no file. */
  readonly elsewhere: readonly Failure[];
}

/** All files of a run together. */
export function addCounts({ files, elsewhere }: RunCounts): Counts {
  const all = { passed: 0, failed: elsewhere.length, skipped: 0 };
  for (const { passed, failed, skipped } of Object.values(files)) {
    all.passed += passed;
    all.failed += failed;
    all.skipped += skipped;
  }
  return all;
}

/** Each failure of a run, those of no file last. */
export function failuresOf({ files, elsewhere }: RunCounts): readonly Failure[] {
  return [...Object.values(files).flatMap(({ failures }) => failures), ...elsewhere];
}

/** `N passed, N failed[, N skipped]` */
export function summary({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** `2 files needed a second try`; nothing where none did. */
export function secondTryLine(files: number): string {
  if (files === 0) return '';
  return `${files} ${files === 1 ? 'file' : 'files'} needed a second try\n`;
}

/** One line for each failure: `failed: test/a.test.ts > title: AssertionError: expected 1 to be 2`. */
export function failureLines(label: 'fails' | 'failed' | 'second try', failures: readonly Failure[]): string {
  return failures.map(({ name, error }) => `${label}: ${name}: ${error}\n`).join('');
}
