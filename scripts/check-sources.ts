/**
 * Rules about files that no linter has: their length, their names, where SQL lives, their words, what they
 * must not mention.
 */
import { resolve } from 'node:path';
import { readSourceFiles } from './checks/source-files.ts';
import { findSourceProblems } from './checks/source-rules.ts';

const root = resolve(process.argv[2] ?? `${import.meta.dirname}/..`);
const files = readSourceFiles(root);
const problems = findSourceProblems(files);
for (const problem of problems) console.error(problem);
console.log(`${files.length} files read, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
