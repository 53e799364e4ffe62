/**
 * `npm run check`: everything that can be said about the repository without running its tests. All steps run,
 * two at a time; what failed is shown in full at the end. `npm run check -- types imports` runs only those.
 */
import { resolve } from 'node:path';
import { packageCommand, runSteps, type Step, type StepResult } from './checks/steps.ts';

const root = resolve(import.meta.dirname, '..');
const AT_ONCE = 2;

/** Longest first, so that the two that run at once end together. */
const steps: readonly Step[] = [
  { name: 'prisma', argv: ['scripts/check-prisma-drift.ts'] },
  { name: 'types', argv: ['scripts/check-types.ts'] },
  { name: 'graphql', argv: ['scripts/print-schema.ts', '--check'] },
  { name: 'openapi', argv: ['scripts/print-openapi.ts', '--check'] },
  { name: 'unused', argv: [packageCommand(root, 'knip', 'knip'), '--no-progress'] },
  {
    name: 'imports',
    argv: [
      packageCommand(root, 'dependency-cruiser', 'depcruise'),
      'src',
      'workers',
      'console',
      'scripts',
      'chaos',
      'conformance',
      'test',
      '--output-type',
      'err-long',
    ],
  },
  {
    name: 'style',
    argv: [
      packageCommand(root, '@biomejs/biome', 'biome'),
      'check',
      '--colors=off',
      '--max-diagnostics=200',
      '.',
    ],
  },
  { name: 'docs', argv: ['scripts/print-docs.ts', '--check'] },
  { name: 'sources', argv: ['scripts/check-sources.ts'] },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(
    `No check is called ${unknown.join(', ')}; there are ${steps.map((step) => step.name).join(', ')}.`,
  );
  process.exit(2);
}
const results = await runSteps(
  steps.filter((step) => wanted.length === 0 || wanted.includes(step.name)),
  root,
  AT_ONCE,
);
report(results);
if (results.some((result) => !result.passed)) process.exitCode = 1;

function report(all: readonly StepResult[]): void {
  for (const { name, passed, output } of all) {
    if (!passed) console.log(`\n── ${name} ──\n${output.trimEnd()}`);
  }
  console.log();
  for (const { name, passed, seconds } of all) {
    console.log(`${name.padEnd(10)} ${passed ? 'ok    ' : 'FAILED'} ${seconds.toFixed(1).padStart(6)} s`);
  }
}
