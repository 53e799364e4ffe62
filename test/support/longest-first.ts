import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { secondsOf } from './durations.ts';

/**
 * Begins with the files that took longest when durations were recorded (`npm test -- --record`): one that
 * began last would run alone at the end. Files that share processes come last and in a row: a process goes on
 * to the next file only if that may share it.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const seconds = new Map(
      sorted.map((file) => [file, secondsOf(relative(file.project.config.root, file.moduleId))]),
    );
    const longestFirst = (one: TestSpecification, two: TestSpecification): number =>
      (seconds.get(two) ?? 0) - (seconds.get(one) ?? 0);
    const place = ({ project }: TestSpecification): number =>
      project.config.isolate ? 0 : 1 + PLACES.indexOf(project.name);
    return sorted.toSorted((one, two) => place(one) - place(two) || longestFirst(one, two));
  }
}

/** Of the projects whose files share processes. */
const PLACES = ['shared', 'pure'];
