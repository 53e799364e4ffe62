import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/postgres/cluster.ts';
import { waitFor } from '../support/wait.ts';
import { makeDirectory, query, startHolder } from './scene.ts';

const log = (): void => {};

async function startsWell(dataDir: string): Promise<Record<string, unknown>[]> {
  const cluster = await startEmbeddedPostgres({ dataDir, log });
  const rows = await query(cluster.url, `select to_regclass('kept')::text as kept`);
  await cluster.stop();
  expect((await readdir(dataDir)).sort()).toEqual(['cluster', 'password']);
  return rows;
}

// Each makes clusters, and several files may be doing so at once.

const moments = [
  ['as it begins', async (dataDir: string) => (await names(dataDir)).length > 0],
  ['while initdb runs', async (dataDir: string) => (await halfMade(dataDir)).includes('PG_VERSION')],
  ['when initdb is nearly done', async (dataDir: string) => (await halfMade(dataDir, 'base')).includes('5')],
  ['as the cluster gets its name', async (dataDir: string) => (await names(dataDir)).includes('cluster')],
] as const;

test.each(moments)(
  'SIGKILL in the middle of the first start, %s: the next start works',
  async (_, hasCome) => {
    const dataDir = join(await makeDirectory(), 'data');
    const other = startHolder(dataDir);
    // Or the end, where this process was not given the processor in that moment: a kill then must not hurt
    // either.
    const isMade = async () => (await names(dataDir)).includes('cluster');
    await waitFor(async () => (await hasCome(dataDir)) || (await isMade()), {
      describe: 'the moment',
      pollMs: 2,
    });
    await other.kill();
    expect(await startsWell(dataDir)).toEqual([{ kept: null }]);
  },
);

test('three first starts killed one after the other leave nothing behind', async () => {
  const dataDir = join(await makeDirectory(), 'data');
  for (let round = 0; round < 3; round++) {
    const other = startHolder(dataDir);
    const isUnderWay = async () =>
      (await halfMade(dataDir)).includes('PG_VERSION') || (await names(dataDir)).includes('cluster');
    await waitFor(isUnderWay, { describe: 'initdb', pollMs: 2 });
    await other.kill();
  }
  expect(await startsWell(dataDir)).toEqual([{ kept: null }]);
});

async function names(directory: string): Promise<string[]> {
  return await readdir(directory).catch(() => []);
}

async function halfMade(dataDir: string, within = ''): Promise<string[]> {
  const work = (await names(dataDir)).find((name) => name.startsWith('init-'));
  return work === undefined ? [] : await names(join(dataDir, work, 'cluster', within));
}
