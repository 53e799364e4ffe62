import { afterEach, beforeEach, expect, test } from 'vitest';
import { done } from '../../../src/core/outcome.ts';
import type { Handler } from '../../../workers/handler.ts';
import { openTestQueue, type TestQueue } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';
import { definitions } from './support/definitions.ts';
import { startTestWorker } from './support/worker.ts';

let q: TestQueue;
const stops: (() => Promise<void>)[] = [];
beforeEach(async () => {
  q = await openTestQueue(definitions);
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await q.close();
});

const keys = definitions.map(({ key }) => key);
const [one = '', other = ''] = keys;

async function insert(key: string, count: number): Promise<void> {
  const tenantId = await q.makeTenant(`of-${key}`);
  await q.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, payload) select $1, $2, '{"do":"quick"}' from generate_series(1, $3)`,
    [tenantId, q.definitionId(key), count],
  );
}

const succeeded = async (key: string): Promise<number> =>
  (
    await q.superuser.query(
      `select count(*)::integer as n from millrace.jobs where status = 'succeeded' and definition_id = $1`,
      [q.definitionId(key)],
    )
  ).rows[0].n;

test('a worker runs the types that it serves and no other, and its row says so', async () => {
  await insert(one, 5);
  await insert(other, 5);
  const handler: Handler<never> = async () => done();
  const worker = await startTestWorker(q, {
    handlers: Object.fromEntries(keys.map((key) => [key, handler])),
    served: { keys: [one], concurrency: new Map([[one, 2]]) },
  });
  stops.push(() => worker.stop(0));
  await waitFor(async () => (await succeeded(one)) === 5, { describe: 'the jobs of the served type' });
  const { rows } = await q.superuser.query('select definition_keys, metadata from millrace.job_workers');
  expect(rows).toEqual([{ definition_keys: [one], metadata: { typeConcurrency: { [one]: 2 } } }]);
  expect(await succeeded(other)).toBe(0);
});

test('at most N of a type run at a time, and the other slots go to the others', async () => {
  await insert(one, 6);
  await insert(other, 6);
  const running = new Map(keys.map((key) => [key, 0]));
  const most = new Map(keys.map((key) => [key, 0]));
  const gates: (() => void)[] = [];
  const handler =
    (key: string): Handler<never> =>
    async () => {
      running.set(key, (running.get(key) ?? 0) + 1);
      most.set(key, Math.max(most.get(key) ?? 0, running.get(key) ?? 0));
      await new Promise<void>((resolve) => gates.push(resolve));
      running.set(key, (running.get(key) ?? 0) - 1);
      return done();
    };
  const worker = await startTestWorker(q, {
    handlers: Object.fromEntries(keys.map((key) => [key, handler(key)])),
    served: { concurrency: new Map([[one, 2]]) },
    concurrency: 5,
    pollMs: 60_000,
  });
  stops.push(() => worker.stop(0));
  await waitFor(async () => running.get(one) === 2 && running.get(other) === 3, {
    describe: 'all slots to be taken',
  });
  while ((await succeeded(one)) + (await succeeded(other)) < 12) {
    for (const open of gates.splice(0)) open();
    await waitFor(async () => gates.length > 0 || (await succeeded(one)) + (await succeeded(other)) === 12, {
      describe: 'the next jobs to start without waiting for the poll',
    });
  }
  expect(most.get(one)).toBe(2);
});
