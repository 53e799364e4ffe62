import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Runs what `npm test` runs in a folder with these test files; each may count its tries in `tries.txt`. */
async function npmTest(files: Record<string, string>): Promise<{ lines: string[]; code: number | null }> {
  // Below the repository, so that the files find `vitest`.
  await mkdir(join(repository, '.tmp'), { recursive: true });
  const root = await mkdtemp(join(repository, '.tmp', 'second-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const reporter = JSON.stringify(join(repository, 'test', 'support', 'count-reporter.ts'));
  await writeFile(
    join(root, 'vitest.config.ts'),
    `export default { test: { include: ['*.test.ts'], pool: 'forks', reporters: ['default', ${reporter}] } };`,
  );
  const prelude = `import * as v from 'vitest'; import fs from 'node:fs';
    const tries = () => { fs.appendFileSync('tries.txt', 'x'); return fs.readFileSync('tries.txt', 'utf8').length; };`;
  for (const [name, source] of Object.entries(files))
    await writeFile(join(root, name), `${prelude}\n${source}`);
  const child = spawn(process.execPath, [join(repository, 'scripts', 'test.ts')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { lines: out.trimEnd().split('\n'), code };
}

test('a file in which something failed is run again, alone and whole, and counts as it then comes out', async () => {
  const { lines, code } = await npmTest({
    'good.test.ts': `v.test('good', () => {});`,
    'shaky.test.ts': `v.test('beside it', () => {}); v.test('shaky', () => { v.expect(tries()).toBe(2); });`,
  });
  expect(lines.at(-1)).toBe('3 passed, 0 failed');
  expect(lines.slice(-3, -1)).toEqual([
    'second try: shaky.test.ts > shaky: AssertionError: expected 1 to be 2 // Object.is equality',
    '1 file needed a second try',
  ]);
  expect(code).toBe(0);
});

test('what fails twice is a failure, and so is a stray error at the second try', async () => {
  const { lines, code } = await npmTest({
    'good.test.ts': `v.test('good', () => {});`,
    'bad.test.ts': `v.test('bad', () => { v.expect(tries()).toBe(3); }); v.test('beside it', () => {});`,
    'stray.test.ts': `v.test('stray', async () => { void Promise.reject(new Error('stray'));
      await new Promise((resolve) => setTimeout(resolve, 100)); });`,
  });
  expect(lines.at(-1)).toBe('3 passed, 2 failed');
  expect(lines.slice(-3, -1)).toEqual([
    expect.stringMatching(/^failed: bad\.test\.ts > bad: AssertionError: expected \d to be 3/),
    'failed: stray.test.ts > outside of all tests: Error: stray',
  ]);
  expect(code).toBe(1);
});

test('many failures are no accident: nothing is run a second time', async () => {
  const files = Array.from({ length: 7 }, (_, n) => [
    `bad-${n}.test.ts`,
    `v.test('bad', () => { throw new Error(tries()); });`,
  ]);
  const { lines, code } = await npmTest(Object.fromEntries(files));
  expect(lines.at(-1)).toBe('0 passed, 7 failed');
  expect(lines.join('\n')).not.toContain('Again');
  expect(code).toBe(1);
});
