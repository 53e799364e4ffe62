import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeJobDirectory, sweepJobDirectories } from '../../../workers/tools/job-directory.ts';
import { makeTempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait.ts';

const MODULE = new URL('../../../workers/tools/job-directory.ts', import.meta.url).href;

test('a job directory is ours alone and is gone afterwards, with all that is in it', async () => {
  const parent = join(await makeTempDir(), 'not', 'there', 'yet');
  {
    await using directory = await makeJobDirectory(parent);
    expect((await stat(directory.path)).mode & 0o777).toBe(0o700);
    await mkdir(join(directory.path, 'deep'));
    await writeFile(join(directory.path, 'deep', 'file'), 'x');
    await directory.remove();
    expect(await readdir(parent)).toEqual([]);
  }
});

test('a sweep takes what dead processes left and leaves what the living use', async () => {
  const parent = await makeTempDir();
  await using mine = await makeJobDirectory(parent);
  const script = `
    const { makeJobDirectory } = await import(${JSON.stringify(MODULE)});
    console.log((await makeJobDirectory(process.argv[1])).path);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, parent], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const [line] = await once(child.stdout, 'data');
  const theirs = String(line).trim();
  await writeFile(join(theirs, 'left'), 'x');
  // The same id as ours, but of a process that began at another time: what a restarted container finds.
  const before = join(parent, basename(mine.path).replace(/^(job-\w+-\d+)-\d+/, '$1-1'));
  const elsewhere = join(parent, basename(theirs).replace(/^job-\w{8}/, 'job-00000000'));
  for (const path of [before, elsewhere, join(parent, 'unrelated')]) await mkdir(path);

  expect(await sweepJobDirectories(parent)).toEqual([basename(before)]);
  expect(existsSync(theirs)).toBe(true);
  child.kill('SIGKILL');
  await exit;
  expect(await sweepJobDirectories(parent)).toEqual([basename(theirs)]);
  expect((await readdir(parent)).sort()).toEqual(
    [basename(elsewhere), basename(mine.path), 'unrelated'].sort(),
  );
  expect(await sweepJobDirectories(join(parent, 'absent'))).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'a sweep ends the tools that a dead worker left running',
  async () => {
    const parent = await makeTempDir();
    const script = `
    const { makeJobDirectory } = await import(${JSON.stringify(MODULE)});
    const { path } = await makeJobDirectory(process.argv[1]);
    const { spawn } = process.getBuiltinModule('child_process');
    const tool = spawn('/bin/sleep', ['600'], { cwd: path, detached: true, stdio: 'ignore' });
    tool.unref();
    tool.once('spawn', () => console.log(tool.pid));`;
    const worker = spawn(process.execPath, ['--input-type=module', '-e', script, parent], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exit = once(worker, 'exit');
    const [line] = await once(worker.stdout, 'data');
    await exit;
    const toolPid = Number(String(line));
    expect(existsSync(`/proc/${toolPid}/cwd`)).toBe(true);
    expect(await sweepJobDirectories(parent)).toHaveLength(1);
    await waitFor(() => !existsSync(`/proc/${toolPid}/cwd`), { describe: 'the tool to be gone' });
  },
);

test.runIf(process.platform !== 'win32')(
  'a folder that others may write, or that is a link, is refused before anything is written to it',
  async () => {
    const base = await makeTempDir();
    const refusal = (problem: string): object =>
      expect.objectContaining({
        code: 'ConfigInvalid',
        message: expect.stringContaining(problem),
        details: expect.objectContaining({ field: 'TMPDIR' }),
      });
    const open = join(base, 'open');
    await mkdir(open);
    await chmod(open, 0o777);
    const elsewhere = join(base, 'elsewhere');
    await mkdir(elsewhere, { mode: 0o700 });
    const link = join(base, 'link');
    await symlink(elsewhere, link);
    const file = join(base, 'file');
    await writeFile(file, 'x');
    for (const [parent, problem] of [
      [open, 'is writable by others (mode 777)'],
      [link, 'is a symbolic link'],
    ] as const) {
      await expect(makeJobDirectory(parent)).rejects.toEqual(refusal(problem));
      await expect(sweepJobDirectories(parent)).rejects.toEqual(refusal(problem));
    }
    await expect(sweepJobDirectories(file)).rejects.toEqual(refusal('is no directory'));
    expect(await readdir(open)).toEqual([]);
    expect(await readdir(elsewhere)).toEqual([]);
    expect(await readFile(file, 'utf8')).toBe('x');
  },
);

test.runIf(process.getuid?.() === 0)('a folder of another user is refused', async () => {
  const parent = join(await makeTempDir(), 'theirs');
  await mkdir(parent, { mode: 0o700 });
  await chown(parent, 65_534, 65_534);
  await expect(makeJobDirectory(parent)).rejects.toThrow('belongs to user 65534, not to 0');
});

test.runIf(process.platform !== 'win32')('a folder that others could read is closed to them', async () => {
  const parent = join(await makeTempDir(), 'readable');
  await mkdir(parent);
  await chmod(parent, 0o755);
  await using _directory = await makeJobDirectory(parent);
  expect((await stat(parent)).mode & 0o777).toBe(0o700);
});
