import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, type TestContext, test } from 'vitest';
import { locatePackagedBinaries } from '../../src/postgres/binaries.ts';
import { startEmbeddedPostgres } from '../../src/postgres/cluster.ts';
import { chooseRunAs } from '../../src/postgres/os-user.ts';
import { findRuntime } from '../../src/postgres/runtime.ts';
import { makeDirectory, query, startHolder } from './scene.ts';

const log = (): void => {};
const NOBODY = 65_534;

function needsRoot({ skip }: TestContext): void {
  if (process.getuid?.() !== 0) skip('only root can change users; run the tests as root to see it');
}

test('started by root, the server runs as somebody else', async (context) => {
  needsRoot(context);
  const dataDir = join(await makeDirectory(), 'data');
  const cluster = await startEmbeddedPostgres({ dataDir, log });
  const status = await readFile(`/proc/${cluster.pid}/status`, 'utf8');
  const cwd = await stat(`/proc/${cluster.pid}/cwd`);
  await cluster.stop();
  expect(/^Uid:\t(\d+)/m.exec(status)?.[1]).toBe(String(cwd.uid));
  expect(cwd.uid).not.toBe(0);
  expect(/^Groups:\s*$/m.test(status)).toBe(true); // none of root's
});

test('a directory that the server can not reach is replaced by one in the system directory, which is said', async (context) => {
  needsRoot(context);
  const directory = await makeDirectory();
  const systemDir = join(directory, 'system');
  const dataDir = join(directory, 'private', 'data');
  await mkdir(join(directory, 'private'), { mode: 0o700 });

  const first = await startEmbeddedPostgres({ dataDir, log, systemDir });
  await query(first.url, 'create table kept ()');
  await first.stop();
  expect(first.dataDir).toMatch(/\/system\/data-[0-9a-f]{12}$/);
  // Installed where root alone comes by, the programs are copied too, and that is said as well.
  const { isCopy, root } = await findRuntime(await chooseRunAs(undefined), systemDir);
  expect(first.notes).toEqual([
    expect.stringContaining(`its data is in ${first.dataDir}`),
    ...(isCopy ? [`The Postgres programs were copied to ${root}.`] : []),
  ]);

  // Also once the way is free: the data stays where it is.
  await chmod(join(directory, 'private'), 0o755);
  const second = await startEmbeddedPostgres({ dataDir, log, systemDir });
  expect(await query(second.url, `select to_regclass('kept')::text as kept`)).toEqual([{ kept: 'kept' }]);
  await second.stop();
  expect(second.dataDir).toBe(first.dataDir);
});

test('data that became unreachable is not silently replaced by an empty database', async (context) => {
  needsRoot(context);
  const directory = await makeDirectory();
  const systemDir = join(directory, 'system');
  const dataDir = join(directory, 'parent', 'data');
  await (await startEmbeddedPostgres({ dataDir, log, systemDir })).stop();
  await chmod(join(directory, 'parent'), 0o700);
  await expect(startEmbeddedPostgres({ dataDir, log, systemDir })).rejects.toMatchObject({
    code: 'data_dir_unreachable',
    message: expect.stringContaining(dataDir),
  });
});

test('programs that only root can reach are copied once; a half copy is replaced, a whole one kept', async (context) => {
  needsRoot(context);
  const directory = await makeDirectory();
  const runAs = await chooseRunAs(undefined);
  const original = locatePackagedBinaries();
  const hidden = { ...original, root: join(directory, 'private', 'native') };
  await mkdir(join(directory, 'private'), { mode: 0o700 });
  await cp(original.root, hidden.root, { recursive: true });
  const copies = join(directory, 'system');

  const runtime = await findRuntime(runAs, copies, hidden);
  expect(runtime).toMatchObject({
    isCopy: true,
    majorVersion: '18',
    root: join(copies, `postgres-${original.packageVersion}`),
  });
  const made = (await stat(runtime.root)).ino;
  await findRuntime(runAs, copies, hidden);
  expect((await stat(runtime.root)).ino).toBe(made);

  await truncate(runtime.postgres, 1_000);
  await findRuntime(runAs, copies, hidden);
  await rm(join(runtime.root, 'share'), { recursive: true });
  await findRuntime(runAs, copies, hidden);
  expect((await stat(join(runtime.root, 'share'))).isDirectory()).toBe(true);
  expect(await readdir(copies)).toEqual([basename(runtime.root)]);

  // Many at once, on an empty place and on a spoilt one: the one that is ready first must not lose it to the
  // others.
  const many = () => Promise.all(Array.from({ length: 6 }, () => findRuntime(runAs, copies, hidden)));
  await rm(copies, { recursive: true });
  for (const found of await many()) expect(found.root).toBe(runtime.root);
  expect(await readdir(copies)).toEqual([basename(runtime.root)]);
  await many();
  expect(await readdir(copies)).toEqual([basename(runtime.root)]);
});

test('programs without the links that an install script makes are repaired in place', async () => {
  const directory = await makeDirectory();
  const runAs = await chooseRunAs(undefined);
  const original = locatePackagedBinaries();
  const root = join(directory, 'native');
  await cp(original.root, root, { recursive: true, verbatimSymlinks: true });
  for (const entry of await readdir(join(root, 'lib'), { withFileTypes: true })) {
    if (entry.isSymbolicLink()) await rm(join(root, 'lib', entry.name));
  }
  await chmod(join(root, 'bin', 'initdb'), 0o644);
  const runtime = await findRuntime(runAs, join(directory, 'copies'), { ...original, root });
  expect(runtime).toMatchObject({ root, isCopy: false });
});

test('programs that can not run at all are refused with what the system said', async () => {
  const directory = await makeDirectory();
  const packaged = { root: join(directory, 'nowhere', 'native'), packageVersion: '0' };
  await expect(
    findRuntime(await chooseRunAs(undefined), join(directory, 'copies'), packaged),
  ).rejects.toMatchObject({
    code: 'binaries_unusable',
    message: expect.stringContaining('ENOENT'),
  });
});

test('an ordinary user starts it in a directory of its own, and learns when it belongs to another', async (context) => {
  needsRoot(context);
  const directory = await makeDirectory();
  const asNobody = { uid: NOBODY, gid: NOBODY };
  try {
    execFileSync(
      process.execPath,
      ['-e', `require('fs').accessSync(${JSON.stringify(import.meta.filename)})`],
      {
        ...asNobody,
        cwd: '/',
        stdio: 'ignore',
      },
    );
  } catch {
    context.skip('this clone, or its Node, is where only root may go');
  }
  await chmod(directory, 0o777);
  const own = startHolder(join(directory, 'data'), asNobody);
  const ready = await own.said();
  expect(ready).toMatchObject({ event: 'ready', uid: NOBODY, notes: [] });
  expect(await query(ready.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  process.kill(own.child.pid, 'SIGINT');
  expect(await own.said()).toMatchObject({ event: 'stopped' });

  // Root takes over what an ordinary user made, and leaves it usable for that user.
  const byRoot = await startEmbeddedPostgres({ dataDir: join(directory, 'data'), log });
  await byRoot.stop();
  expect(await startHolder(join(directory, 'data'), asNobody).said()).toMatchObject({ event: 'ready' });

  await (await startEmbeddedPostgres({ dataDir: join(directory, 'roots'), log })).stop();
  expect(await startHolder(join(directory, 'roots'), asNobody).said()).toMatchObject({
    event: 'refused',
    code: 'data_dir_unreachable',
  });
});
