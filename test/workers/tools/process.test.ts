import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limitChildMemory } from '../../../workers/tools/child-guard.ts';
import { throwIfFailed } from '../../../workers/tools/media-error.ts';
import { runProcess } from '../../../workers/tools/process.ts';
import type { ProcessSpec } from '../../../workers/tools/process-spec.ts';
import { makeTempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait.ts';

/** Runs a JavaScript program; `report(name)` in it writes its process id to a file of that name. */
async function runScript(script: string, options: Partial<ProcessSpec> = {}) {
  const cwd = options.cwd ?? (await makeTempDir());
  const prelude = `const { spawn } = require('child_process');
    const report = (name) => require('fs').writeFileSync(name, String(process.pid));`;
  return await runProcess({ file: process.execPath, args: ['-e', prelude + script], ...options, cwd });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Gone, or a zombie that only waits for init to collect it. */
async function isGone(pid: number): Promise<boolean> {
  if (!isRunning(pid)) return true;
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
  return status.slice(status.lastIndexOf(')')).startsWith(') Z');
}

/** 0 as long as nobody has written one. */
const readPid = async (path: string): Promise<number> => Number(await readFile(path, 'utf8').catch(() => ''));

async function pidIn(path: string): Promise<number> {
  return await waitFor(() => readPid(path), { describe: `a process id in ${path}` });
}

const GRANDCHILD = `spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); require('fs').writeFileSync('grandchild', String(process.pid)); setInterval(() => {}, 1000)"], { stdio: 'inherit' });`;

test('arguments reach the program as they are, and its environment holds nothing of ours', async () => {
  const cwd = await makeTempDir();
  const args = ['a b', "'; touch x; '", '$HOME', '*', ''];
  const script =
    'console.log(JSON.stringify([process.argv.slice(1), Object.keys(process.env).sort(), process.cwd()]))';
  const result = await runProcess({
    file: process.execPath,
    args: ['-e', script, ...args],
    cwd,
    env: { OWN: '1' },
  });
  expect(result.end).toEqual({ how: 'exited', exitCode: 0 });
  expect(JSON.parse(result.stdout)).toEqual([
    args,
    ['HOME', 'LANG', 'LC_ALL', 'MILLRACE_PROCESS', 'OWN', 'TMPDIR'],
    cwd,
  ]);
  expect(await readdir(cwd)).toEqual([]);
});

test('an exit code, a signal and a program that is not there are distinguished', async () => {
  expect((await runScript('process.exit(3)')).end).toEqual({ how: 'exited', exitCode: 3 });
  expect((await runScript("process.kill(process.pid, 'SIGSEGV')")).end).toEqual({
    how: 'signaled',
    signal: 'SIGSEGV',
  });
  const cwd = await makeTempDir();
  expect((await runProcess({ file: '/no/such/program', args: [], cwd })).end).toMatchObject({
    how: 'notStarted',
    error: { code: 'ENOENT' },
  });
});

test('an abort ends the program and its grandchildren, also those that ignore SIGTERM', async () => {
  const cwd = await makeTempDir();
  const abort = new AbortController();
  const running = runScript(`${GRANDCHILD} report('child'); setInterval(() => {}, 1000)`, {
    cwd,
    signal: abort.signal,
    killGraceMs: 300,
  });
  const pids = [await pidIn(join(cwd, 'child')), await pidIn(join(cwd, 'grandchild'))];
  expect(pids.every(isRunning)).toBe(true);
  abort.abort();
  expect((await running).end).toEqual({ how: 'aborted' });
  for (const pid of pids) await waitFor(() => isGone(pid), { describe: `process ${pid} to be gone` });
});

test('a program that ignores SIGTERM, or is stopped, is killed after the grace', async () => {
  for (const script of [
    "process.on('SIGTERM', () => {}); report('child'); setInterval(() => {}, 1000)",
    "report('child'); process.kill(process.pid, 'SIGSTOP'); setInterval(() => {}, 1000)",
  ]) {
    const cwd = await makeTempDir();
    const abort = new AbortController();
    const running = runScript(script, { cwd, signal: abort.signal, killGraceMs: 200 });
    const pid = await pidIn(join(cwd, 'child'));
    abort.abort();
    expect((await running).end).toEqual({ how: 'aborted' });
    expect(isRunning(pid)).toBe(false);
  }
});

test('what a program leaves running behind itself is ended, and does not hold up the result', async () => {
  const cwd = await makeTempDir();
  const result = await runScript(
    `${GRANDCHILD} const wait = () => require('fs').existsSync('grandchild') ? process.exit(0) : setTimeout(wait, 10); wait();`,
    { cwd },
  );
  expect(result.end).toEqual({ how: 'exited', exitCode: 0 });
  const pid = await pidIn(join(cwd, 'grandchild'));
  await waitFor(() => isGone(pid), { describe: 'the grandchild to be gone' });
});

test('a signal that has already fired starts nothing', async () => {
  const cwd = await makeTempDir();
  const result = await runScript("report('child')", { cwd, signal: AbortSignal.abort() });
  expect(result.end).toEqual({ how: 'aborted' });
  expect(await readdir(cwd)).toEqual([]);
});

test('a time limit ends the program and says so', async () => {
  const result = await runScript('setInterval(() => {}, 1000)', { timeoutMs: 300 });
  expect(result.end).toEqual({ how: 'timedOut', timeoutMs: 300 });
});

/** `count` lines, 300 ms between them; by the shell, which is up at once also on a busy machine. */
const lines = (count: number, line: string) => ({
  file: '/bin/sh',
  args: ['-c', `n=0; while [ $n -lt ${count} ]; do echo ${line}; sleep 0.3; n=$((n + 1)); done`],
});

test('the watchdog ends a program that reports but does not move, and lets one that moves go on', async () => {
  const report = (script: string, stallTimeoutMs: number) =>
    runScript(script, {
      stallTimeoutMs,
      onStdoutLine: (line, progressed) => {
        if (line === 'moved') progressed();
      },
    });
  const stuck = await report("setInterval(() => console.log('still here'), 20)", 300);
  expect(stuck.end).toEqual({ how: 'stalled', stallTimeoutMs: 300 });
  const moving = await runProcess({
    ...lines(17, 'moved'),
    cwd: tmpdir(),
    stallTimeoutMs: 4_000,
    onStdoutLine: (line, progressed) => {
      if (line === 'moved') progressed();
    },
  });
  expect(moving.end).toEqual({ how: 'exited', exitCode: 0 });
  expect(moving.durationMs).toBeGreaterThan(4_000);
});

test('without a line callback any output counts as life', async () => {
  const result = await runProcess({ ...lines(17, 'x'), cwd: tmpdir(), stallTimeoutMs: 4_000 });
  expect(result.end).toEqual({ how: 'exited', exitCode: 0 });
  expect(result.durationMs).toBeGreaterThan(4_000);
});

test('of much output head and tail are kept, in bounded memory, with a note of what is missing', async () => {
  const before = process.memoryUsage().rss;
  const script =
    "process.stdout.write('HEAD'); const b = 'x'.repeat(1 << 20); let n = 0; const go = () => ++n > 100 ? process.stdout.write('TAIL') : process.stdout.write(b, go); go();";
  const result = await runScript(script, { maxOutputBytes: 10_000 });
  expect(result.end).toEqual({ how: 'exited', exitCode: 0 });
  expect(result.stdout.startsWith('HEADx')).toBe(true);
  expect(result.stdout.endsWith('xTAIL')).toBe(true);
  expect(result.stdout).toContain(`[... ${100 * 2 ** 20 + 8 - 10_000} bytes left out ...]`);
  expect(result.stdoutOmittedBytes).toBe(100 * 2 ** 20 + 8 - 10_000);
  expect(result.stdout.length).toBeLessThan(10_100);
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
});

test('lines come whole, whatever the chunks, with CR as well as LF', async () => {
  const lines: string[] = [];
  const script =
    "const b = Buffer.from('é1\\r\\n2é\\r3\\n\\nlast'); let i = 0; const t = setInterval(() => i < b.length ? process.stderr.write(b.subarray(i, ++i)) : clearInterval(t), 1);";
  await runScript(script, { onStderrLine: (line) => lines.push(line) });
  expect(lines).toEqual(['é1', '2é', '3', 'last']);
});

test('a line callback that throws ends the program, and its error comes out', async () => {
  const cwd = await makeTempDir();
  const running = runScript("report('child'); setInterval(() => console.log('line'), 10)", {
    cwd,
    onStdoutLine: () => {
      throw new Error('enough');
    },
  });
  await expect(running).rejects.toThrow('enough');
  expect(isRunning(await pidIn(join(cwd, 'child')))).toBe(false);
});

test('many runs leave no listener on the signal', async () => {
  const abort = new AbortController();
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  const cwd = await makeTempDir();
  for (let round = 0; round < 30; round += 1)
    await runProcess({ file: '/bin/true', args: [], cwd, signal: abort.signal });
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'when the worker is killed its program is killed with it',
  async ({ skip }) => {
    const cwd = await makeTempDir();
    const processModule = new URL('../../../workers/tools/process.ts', import.meta.url).href;
    const guardModule = new URL('../../../workers/tools/child-guard.ts', import.meta.url).href;
    const worker = `
    const { runProcess } = await import(${JSON.stringify(processModule)});
    const { childGuard } = await import(${JSON.stringify(guardModule)});
    const cwd = process.argv[1];
    const running = runProcess({ file: process.execPath, cwd, args: ['-e', "process.getBuiltinModule('fs').writeFileSync('child', String(process.pid)); setInterval(() => {}, 1000)"] });
    const { argv: guard } = await childGuard(async () => false);
    process.getBuiltinModule('fs').writeFileSync(cwd + '/guard', guard.length > 0 ? 'yes' : 'no');
    await running;`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', worker, cwd], { stdio: 'inherit' });
    const exit = once(child, 'exit');
    const pid = await pidIn(join(cwd, 'child'));
    const guarded = await waitFor(() => readFile(join(cwd, 'guard'), 'utf8').catch(() => ''), {
      describe: 'the guard to be known',
    });
    child.kill('SIGKILL');
    await exit;
    if (guarded === 'no') {
      process.kill(pid, 'SIGKILL');
      skip('no setpriv with --pdeathsig on this machine');
    }
    await waitFor(() => isGone(pid), { describe: 'the program to be gone' });
  },
);

/** A grandchild in a session of its own, which ignores SIGTERM and does not hold the output. */
const OWN_SESSION = `spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); require('fs').writeFileSync('grandchild', String(process.pid)); setInterval(() => {}, 1000)"], { stdio: 'ignore', detached: true }).unref();`;

test.runIf(process.platform === 'linux')(
  'a grandchild with a session of its own survives neither an abort, nor a time limit, nor a good exit',
  async () => {
    const abort = new AbortController();
    const ends: readonly [string, (limitMs: number) => Partial<ProcessSpec>, () => void][] = [
      [
        'setInterval(() => {}, 1000)',
        () => ({ signal: abort.signal, killGraceMs: 300 }),
        () => abort.abort(),
      ],
      ['setInterval(() => {}, 1000)', (timeoutMs) => ({ timeoutMs, killGraceMs: 300 }), () => {}],
      [
        "const wait = () => require('fs').existsSync('grandchild') ? process.exit(0) : setTimeout(wait, 10); wait()",
        () => ({}),
        () => {},
      ],
    ];
    for (const [script, options, end] of ends) {
      // A limit that was over before there was a grandchild, on a busy machine, says nothing: twice the time.
      for (let limitMs = 1_500; ; limitMs *= 2) {
        const cwd = await makeTempDir();
        let hasEnded = false;
        const running = runScript(`${OWN_SESSION} ${script}`, { cwd, ...options(limitMs) }).finally(() => {
          hasEnded = true;
        });
        const path = join(cwd, 'grandchild');
        await waitFor(async () => hasEnded || (await readPid(path)) > 0, { describe: 'a grandchild' });
        const grandchild = await readPid(path);
        end();
        await running;
        if (grandchild === 0) continue;
        await waitFor(() => isGone(grandchild), { describe: 'the grandchild to be gone' });
        break;
      }
    }
  },
);

test.runIf(process.platform === 'linux')(
  'what a wrapper has started goes with a worker that is killed',
  async () => {
    const cwd = await makeTempDir();
    const module = new URL('../../../workers/tools/process.ts', import.meta.url).href;
    const wrapper = `#!/bin/sh\nsleep 1000 &\necho $! > sleeper\nsetsid sh -c 'echo $$ > own-session; exec sleep 1001' &\nwait\n`;
    const code = `
      const { runProcess } = await import(${JSON.stringify(module)});
      await runProcess({ file: '/bin/sh', args: ['-c', ${JSON.stringify(wrapper.replace('#!/bin/sh\n', ''))}], cwd: ${JSON.stringify(cwd)} });`;
    const worker = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' });
    const exit = once(worker, 'exit');
    const pids = await Promise.all(['sleeper', 'own-session'].map((name) => pidIn(join(cwd, name))));
    worker.kill('SIGKILL');
    await exit;
    for (const pid of pids) await waitFor(() => isGone(pid), { describe: `process ${pid} to be gone` });
  },
);

test.runIf(process.platform === 'linux')('a program cannot take more memory than its limit', async () => {
  limitChildMemory(512 * 2 ** 20);
  try {
    const cwd = await makeTempDir();
    const allocate = (bytes: number) =>
      runProcess({
        file: '/bin/sh',
        args: ['-c', `head -c ${bytes} /dev/zero | tail -c ${bytes} | wc -c`],
        cwd,
      });
    expect((await allocate(2 ** 20)).stdout.trim()).toBe(String(2 ** 20));
    const refused = await allocate(2 ** 30);
    expect(refused.stderr).toMatch(/memory exhausted|Cannot allocate memory/);
    expect(refused.memoryLimitBytes).toBe(512 * 2 ** 20);
    expect(() => throwIfFailed('tail', refused, undefined)).toThrow(
      expect.objectContaining({
        type: 'MemoryLimitExceeded',
        message:
          'tail needs more memory for this file than the 512 MiB that it may take (MILLRACE_CHILD_MEMORY_MB)',
      }),
    );
  } finally {
    limitChildMemory(4 * 2 ** 30);
  }
});
