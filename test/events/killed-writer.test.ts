import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openStage, type Stage, Watcher } from './stage.ts';

let database: TestDatabase;
let stage: Stage;

beforeAll(async () => {
  database = await createTestDatabase();
  stage = await openStage(database.url);
});
afterAll(async () => {
  await stage.close();
  await database.drop();
});

/**
 * Enqueues a job through the queue, in a process that is killed as it is about to notify. @returns the signal
 * that ended it
 */
function enqueueAndDie(tenantId: string): Promise<string | null> {
  const script = fileURLToPath(new URL('killed-writer.fixture.ts', import.meta.url));
  return new Promise((resolve) => {
    execFile(process.execPath, [script, database.url, tenantId], (error) => resolve(error?.signal ?? null));
  });
}

test('a job whose enqueuer is killed between its commit and its notification arrives by the poll', async () => {
  const tenantId = await stage.makeTenant();
  const watcher = new Watcher(stage.feed.subscribe({ tenantId }));
  await watcher.ready();
  expect(await enqueueAndDie(tenantId)).toBe('SIGKILL');
  const { rows } = await stage.superuser.query('select id from millrace.jobs where tenant_id = $1', [
    tenantId,
  ]);
  expect(rows).toHaveLength(1);
  await watcher.until(({ versions }) => versions.has(rows[0].id), 'the job');
  await watcher.stop();
});
