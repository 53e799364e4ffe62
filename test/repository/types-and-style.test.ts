import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageCommand, runStep } from '../../scripts/checks/steps.ts';
import { findTypeProblems } from '../../scripts/checks/types.ts';
import { plant, repository } from './planted.ts';

const TSCONFIG = JSON.stringify({
  compilerOptions: {
    strict: true,
    target: 'es2024',
    lib: ['es2024'],
    module: 'nodenext',
    types: [],
    noEmit: true,
  },
  include: ['src'],
});

describe('the type check', () => {
  it('refuses a type error and a promise that is dropped, whatever package it comes from', async () => {
    await using planted = await plant([], {
      'tsconfig.json': TSCONFIG,
      'src/start.ts': [
        'declare function start(): Promise<number>;',
        "export const wrong: number = 'text';",
        'export function run(): void {',
        '  start();',
        '  start().finally(() => undefined);',
        '}',
        '',
      ].join('\n'),
    });
    const problems = findTypeProblems(join(planted.folder, 'tsconfig.json'));
    expect(problems).toContain(
      "src/start.ts(2,14): error TS2322: Type 'string' is not assignable to type 'number'",
    );
    expect(problems).toContain('src/start.ts(4,3): error TS90001: This promise is neither awaited');
    expect(problems).toContain('src/start.ts(5,3): error TS90001');
  });

  it('accepts promises that are awaited, kept, caught or dropped on purpose', async () => {
    await using planted = await plant([], {
      'tsconfig.json': TSCONFIG,
      'src/start.ts': [
        'declare function start(): Promise<number>;',
        'let kept: Promise<number> | undefined;',
        'export async function run(): Promise<void> {',
        '  await start();',
        '  kept ??= start();',
        '  void start();',
        '  start().catch(() => undefined);',
        '  start().then(() => undefined, () => undefined);',
        '  start().catch(() => undefined).finally(() => undefined);',
        '  await kept;',
        '}',
        '',
      ].join('\n'),
    });
    expect(findTypeProblems(join(planted.folder, 'tsconfig.json'))).toBe('');
  });
});

describe('the style check', () => {
  it('refuses what the repository has agreed not to write', async () => {
    await using planted = await plant(['biome.json', '.gitignore', 'package.json'], {
      'src/jobs/bad.ts': [
        "import { unused } from './other.js';",
        "import undeclared from 'left-pad';",
        'export enum Kind { A }',
        'export function run(x: any): void {',
        '  const port = process.env.PORT;',
        '  console.log(x!.y, undeclared)',
        '}',
        "export function pick(kind: 'a' | 'b'): number {",
        '  switch (kind) {',
        "    case 'a':",
        '      return 1;',
        '  }',
        '  return 0;',
        '}',
        'export default run;',
        '',
      ].join('\n'),
    });
    const argv = [
      packageCommand(repository, '@biomejs/biome', 'biome'),
      'check',
      '--colors=off',
      '--max-diagnostics=none',
      '.',
    ];
    const { passed, output } = await runStep({ name: 'style', argv }, planted.folder);
    expect(passed).toBe(false);
    const found = new Set([...output.matchAll(/lint\/\w+\/(\w+)/g)].map((match) => match[1]));
    for (const rule of [
      'noUnusedImports',
      'noUndeclaredDependencies',
      'noEnum',
      'noExplicitAny',
      'noProcessEnv',
      'noUnusedVariables',
      'noConsole',
      'noNonNullAssertion',
      'useExhaustiveSwitchCases',
      'noDefaultExport',
    ]) {
      expect(found, output).toContain(rule);
    }
    expect(output).toContain('bad.ts format');
  });
});
