import { readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/postgres/cluster.ts';
import { claimDirectory } from '../../src/postgres/owner-lock.ts';
import { processIdentity } from '../../src/postgres/process-identity.ts';
import { makeDirectory, startHolder } from './scene.ts';

const log = (): void => {};

test('a second start on one data directory is refused, naming the directory and who has it', async () => {
  const dataDir = join(await makeDirectory(), 'data');
  const other = startHolder(dataDir);
  await other.said();
  await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toMatchObject({
    code: 'DataDirInUse',
    message: expect.stringMatching(`${dataDir} is in use by process ${other.child.pid}\\.`),
    details: { dataDir, ownerPid: other.child.pid },
  });
});

test('a second start in the same process is refused, also through another path', async () => {
  const directory = await makeDirectory();
  await symlink(directory, join(directory, 'link'));
  const cluster = await startEmbeddedPostgres({ dataDir: join(directory, 'data'), log });
  await expect(
    startEmbeddedPostgres({ dataDir: join(directory, 'link', 'data'), log }),
  ).rejects.toMatchObject({
    code: 'DataDirInUse',
    details: { ownerPid: process.pid },
  });
  await cluster.stop();
  await (await startEmbeddedPostgres({ dataDir: join(directory, 'data'), log })).stop();
});

test('of five that start at once, one gets the directory and the others learn which', async () => {
  const dataDir = join(await makeDirectory(), 'data');
  const others = Array.from({ length: 5 }, () => startHolder(dataDir));
  const said = await Promise.all(others.map((other) => other.said()));
  expect(said.map(({ event }) => event).sort()).toEqual([
    'ready',
    'refused',
    'refused',
    'refused',
    'refused',
  ]);
  for (const { event, code } of said) if (event === 'refused') expect(code).toBe('DataDirInUse');
});

test('flags of processes that are gone, or whose pid went to another process, do not count', async () => {
  const directory = await makeDirectory();
  const gone = startHolder(join(directory, 'data'));
  await gone.kill();
  await writeFile(join(directory, `owner-${gone.child.pid}-0000-1.lock`), '');
  // Pid 1 lives, but did not start at that moment.
  await writeFile(join(directory, 'owner-1-00000000-99.lock'), '');
  const lock = await claimDirectory(directory);
  expect((await readdir(directory)).filter((name) => name.endsWith('.lock'))).toHaveLength(1);
  await lock.release();
  await lock.release();
});

test('a flag of a process that lives does count', async () => {
  const directory = await makeDirectory();
  const flag = join(directory, `owner-1-${await processIdentity(1)}.lock`);
  await writeFile(flag, '');
  await expect(claimDirectory(directory)).rejects.toMatchObject({
    code: 'DataDirInUse',
    details: { ownerPid: 1 },
  });
  await rename(flag, join(directory, 'gone'));
  await (await claimDirectory(directory)).release();
});
