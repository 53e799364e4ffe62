import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Runs vitest with our reporter and leak check on these files (name to source) and gives what it printed.
 * @param stopAt what it prints when it is to be stopped, as by Ctrl-C
 */
async function run(
  files: Record<string, string>,
  stopAt?: string,
): Promise<{ lines: string[]; code: number | null }> {
  // Below the repository, so that the files find `vitest`.
  await mkdir(join(repository, '.tmp'), { recursive: true });
  const root = await mkdtemp(join(repository, '.tmp', 'run-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const support = (name: string): string => JSON.stringify(join(repository, 'test', 'support', name));
  const config = `export default { test: { include: ['*.test.ts'], pool: 'forks', setupFiles: [${support('check-leaks.ts')}],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    globalSetup: ${'global.ts' in files ? "['global.ts']" : '[]'}, reporters: ['default', ${support('count-reporter.ts')}] } };`;
  for (const [name, source] of Object.entries({ ...files, 'vitest.config.ts': config })) {
    await writeFile(
      join(root, name),
      name.endsWith('.test.ts') ? `import * as v from 'vitest';\n${source}` : source,
    );
  }
  const cli = join(repository, 'node_modules', 'vitest', 'vitest.mjs');
  // Where this run itself leaves its counts is not for that one to write to.
  const { MILLRACE_TEST_COUNTS: _, ...env } = process.env;
  const child = spawn(process.execPath, [cli, 'run', '--root', root], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, MILLRACE_TEST_SETTLE_MS: '1000' },
  });
  let seen = '';
  if (stopAt !== undefined)
    child.stdout.on('data', (chunk) => {
      const isFirst = !seen.includes(stopAt);
      seen += chunk;
      if (isFirst && seen.includes(stopAt)) child.kill('SIGTERM');
    });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { lines: `${err}\n${out}`.trimEnd().split('\n'), code };
}

test('the last line counts tests, and each skipped one is listed with its reason', async () => {
  const { lines, code } = await run({
    'a.test.ts': `v.test('good', () => {}); v.test('also good', () => {});
      v.describe('group', () => { v.test('left out', ({ skip }) => skip('no ffmpeg here')); });`,
  });
  expect(lines.at(-1)).toBe('2 passed, 0 failed, 1 skipped');
  expect(lines).toContain('skipped: a.test.ts > group > left out (no ffmpeg here)');
  expect(code).toBe(0);
});

test('a file that can not be loaded, a hook that throws and a stray error count as failed', async () => {
  const { lines, code } = await run({
    'good.test.ts': `v.test('good', () => {});`,
    'bad.test.ts': `v.test('bad', () => { throw new Error('bad'); });`,
    'broken.test.ts': `import './missing.ts'; v.test('never', () => {});`,
    'hook.test.ts': `v.afterAll(() => { throw new Error('hook'); }); v.test('good', () => {});`,
    'stray.test.ts': `v.test('good', async () => { void Promise.reject(new Error('stray'));
      await new Promise((resolve) => setTimeout(resolve, 100)); });`,
  });
  expect(lines.at(-1)).toBe('3 passed, 4 failed');
  expect(lines.slice(-5, -1).toSorted()).toEqual([
    'failed: bad.test.ts > bad: Error: bad',
    expect.stringMatching(/^failed: broken\.test\.ts: Error: Cannot find module/),
    'failed: hook.test.ts: Error: hook',
    'failed: stray.test.ts > outside of all tests: Error: stray',
  ]);
  expect(code).toBe(1);
});

test('a failure is printed when its file has ended, and counted in a run that is stopped then', async () => {
  const failure = 'bad.test.ts > bad: Error: bad';
  const { lines, code } = await run(
    {
      'bad.test.ts': `v.test('bad', () => { throw new Error('bad'); });`,
      'slow.test.ts': `v.test('slow', () => new Promise((resolve) => setTimeout(resolve, 5_000)), 90_000);`,
    },
    `fails: ${failure}`,
  );
  expect(lines.slice(-3)).toEqual([
    `failed: ${failure}`,
    'failed: the run: it did not come to its end',
    // What was under way may end.
    expect.stringMatching(/^[01] passed, 2 failed$/),
  ]);
  expect(code).not.toBe(0);
});

test('a run without tests, and one whose global setup fails, are failed runs', async () => {
  const [empty, broken] = [
    await run({}),
    await run({
      'global.ts': `export default () => { throw new Error('no server'); };`,
      'a.test.ts': `v.test('good', () => {});`,
    }),
  ];
  expect(empty).toMatchObject({ code: 1 });
  expect(empty.lines.at(-1)).toBe('0 passed, 1 failed');
  expect(broken).toMatchObject({ code: 1 });
  expect(broken.lines.at(-1)).toBe('0 passed, 1 failed');
});

test('a file that leaves a server, a child, a timer or a database behind fails by name', async () => {
  const leaks = JSON.stringify(join(repository, 'test', 'support', 'leaks.ts'));
  const { lines } = await run({
    'clean.test.ts': `import net from 'node:net'; v.test('good', async () => {
      const server = net.createServer().listen(0); await new Promise((resolve) => server.close(resolve)); });`,
    'leaky.test.ts': `import net from 'node:net'; import { spawn } from 'node:child_process';
      import { registerOpen } from ${leaks};
      v.test('server', () => { net.createServer().listen(0); });
      v.test('child', () => { const c = spawn('sleep', ['20']); process.once('exit', () => c.kill()); });
      v.test('timer', () => { setInterval(() => {}, 1000); });
      v.test('database', () => { registerOpen('database x'); });`,
  });
  const said = lines.filter((line) => line.includes('this file leaves running')).join('\n');
  expect(said).toMatch(/TCPServerWrap/);
  expect(said).toMatch(/ProcessWrap \(sleep pid \d+\)/);
  expect(said).toMatch(/Timeout/);
  expect(said).toMatch(/database x/);
  expect(lines.at(-1)).toBe('5 passed, 1 failed');
});
