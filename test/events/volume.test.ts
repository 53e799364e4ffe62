import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openStage, type Stage, Watcher } from './stage.ts';

let database: TestDatabase;
let stage: Stage;
const watchers: Watcher[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  stage = await openStage(database.url, { maxPending: 50 });
});
afterEach(() => Promise.all(watchers.splice(0).map((watcher) => watcher.stop())));
afterAll(async () => {
  await stage.close();
  await database.drop();
});

function watch(correlationId: string, after?: string, pauseMs = 0): Watcher {
  const watcher = new Watcher(
    stage.feed.subscribe({ tenantId: stage.tenantId, correlationId }, after),
    pauseMs,
  );
  watchers.push(watcher);
  return watcher;
}

async function versionsOf(ids: readonly string[]): Promise<Map<string, bigint>> {
  const wanted = new Set(ids);
  return new Map([...(await stage.versions())].filter(([id]) => wanted.has(id)));
}

test('a consumer that stalls keeps 50 changes at most and still gets the final version of each of 400 jobs', async () => {
  const ids = await stage.insertJobs(400, { correlation_id: "'stall'" });
  const stream = stage.feed.subscribe({ tenantId: stage.tenantId, correlationId: 'stall', initialLimit: 1 });
  await stream.next();
  await stream.next();
  for (let round = 0; round < 10; round++) await stage.touch(ids);
  const versions = await versionsOf(ids);
  const watcher = new Watcher(stream);
  watchers.push(watcher);
  await watcher.until((one) => one.hasSeen(versions), 'the final versions');
  expect(watcher.reversals).toEqual([]);
  // Ten versions of each are not worth ten events.
  expect(watcher.events.length).toBeLessThan(1_600);
});

test('a change of 10,000 jobs at once reaches another tenant undisturbed and its own in full', async () => {
  const ids = await stage.insertJobs(10_000, { correlation_id: "'bulk'" });
  const watcher = watch('bulk');
  await watcher.ready();
  const { cursor } = watcher;
  const [quietId = ''] = await stage.insertJobs(1, { correlation_id: "'quiet'" });
  const quiet = watch('quiet');
  await quiet.ready();
  await stage.touch([...ids, quietId]);
  await stage.touch(ids.slice(0, 5));
  const versions = await versionsOf(ids);
  await quiet.until((one) => one.versions.get(quietId) === 2n, 'the quiet job');
  await watcher.until((one) => one.hasSeen(versions), 'all 10,000');
  expect(watcher.reversals).toEqual([]);
  const later = watch('bulk', cursor);
  await later.until((one) => one.hasSeen(versions), 'all 10,000 again');
  expect(later.reversals).toEqual([]);
  expect(later.kinds).not.toContain('resync');
});

test('a client that has missed more than 50,000 changes is asked to forget everything and gets a fresh state', async () => {
  const watcher = watch('many');
  await watcher.ready();
  await watcher.stop();
  await stage.insertJobs(50_001, { correlation_id: "'many'" });
  const later = watch('many', watcher.cursor);
  await later.ready();
  expect(later.events[0]).toEqual({ kind: 'resync', reason: 'tooMany', cursor: null });
  expect(later.events.at(-1)).toMatchObject({ kind: 'ready', complete: false });
  expect(later.kinds.filter((kind) => kind === 'job')).toHaveLength(1_000);
});
