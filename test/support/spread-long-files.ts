import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Their files start whole programs, servers and encoders, and take a minute where others take seconds. */
const LONG = /\/test\/(package|media|postgres|e2e)\//;
const SHORT_BETWEEN = 2;

/**
 * Begins long files early, and not all at once, when they would keep each other waiting; one that began last would run alone at the
 * end. Files that share processes come last and in a row: a process goes on to the next file only if that may share it.
 */
export default class SpreadLongFiles extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const shared = sorted.filter(({ project }) => !project.config.isolate);
    const alone = sorted.filter(({ project }) => project.config.isolate);
    const long = alone.filter(({ moduleId }) => LONG.test(moduleId));
    const short = alone.filter(({ moduleId }) => !LONG.test(moduleId));
    return [...long.flatMap((file) => [file, ...short.splice(0, SHORT_BETWEEN)]), ...short, ...shared];
  }
}
