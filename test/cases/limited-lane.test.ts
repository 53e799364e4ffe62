import { afterAll, beforeAll, expect, test } from 'vitest';
import { done } from '../../src/core/outcome.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';
import { definitions } from '../workers/runtime/support/definitions.ts';
import { startTestWorker } from '../workers/runtime/support/worker.ts';

let q: TestQueue;
beforeAll(async () => {
  q = await openTestQueue(definitions);
});
afterAll(() => q.close());

test('jobs under a limit follow each other as soon as one ends, not at the next look of an idle worker', async () => {
  const tenantId = await q.makeTenant();
  await q.superuser.query(`update millrace.job_definitions set max_running = 1 where key = 'task'`);
  const jobs = Array.from({ length: 10 }, () => ({ definitionKey: 'task', payload: {} }));
  const results = await q.queue.enqueue(tenantId, jobs);
  // Nine looks by itself would take ten minutes; the worker has free slots all the time, so none that is
  // freed makes it look.
  const worker = await startTestWorker(q, { handlers: { task: async () => done() }, pollMs: 60_000 });
  try {
    const left = async () => {
      const { rows } = await q.superuser.query(
        `select count(*)::integer as n from millrace.jobs where id = any ($1) and status <> 'succeeded'`,
        [results.map(({ id }) => id)],
      );
      return rows[0].n as number;
    };
    await waitFor(async () => (await left()) === 0, {
      describe: 'ten jobs under a limit of one to succeed',
    });
    expect(await left()).toBe(0);
  } finally {
    await worker.stop();
  }
});
