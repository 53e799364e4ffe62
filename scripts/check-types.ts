/** The compiler's errors and dropped promises, in one pass over the program. */
import { resolve } from 'node:path';
import { findTypeProblems } from './checks/types.ts';

const problems = findTypeProblems(resolve(import.meta.dirname, '../tsconfig.json'));
if (problems !== '') {
  console.error(problems);
  process.exitCode = 1;
}
