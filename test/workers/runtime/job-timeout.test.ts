import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { done } from '../../../src/core/outcome.ts';
import type { RunningWorker } from '../../../workers/runtime/running-worker.ts';
import { openTestQueue, type TestQueue } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';
import { definitions } from './support/definitions.ts';
import { startTestWorker } from './support/worker.ts';

let q: TestQueue;
let tenantId: string;
let worker: RunningWorker;
beforeAll(async () => {
  q = await openTestQueue(definitions);
  tenantId = await q.makeTenant();
  worker = await startTestWorker(q, {
    handlers: {
      // Until it is asked to stop: its definition would let it go on for a minute.
      task: async ({ signal }) => sleep(60_000, done(), { signal }),
      // Longer than its definition allows.
      brief: async ({ signal }) => sleep(1_500, done(), { signal }),
    },
  });
});
afterAll(async () => {
  await worker.stop(0);
  await q.close();
});

async function ended(definitionKey: string, timeoutSeconds: number) {
  const input = { definitionKey, payload: {}, timeoutSeconds, maxAttempts: 1 };
  const [enqueued] = await q.queue.enqueue(tenantId, [input]);
  const id = enqueued?.id ?? '';
  const job = await waitFor(
    async () => {
      const row = await q.job(id);
      return row['finished_at'] !== null && row;
    },
    { describe: `the end of job ${id}` },
  );
  const { rows } = await q.superuser.query('select status from millrace.job_attempts where job_id = $1', [
    id,
  ]);
  return { status: job['status'], error: job['last_error'], attempts: rows.map(({ status }) => status) };
}

test('a job’s own timeoutSeconds ends its run before the definition’s would', async () => {
  expect(await ended('task', 1)).toMatchObject({
    status: 'dead_letter',
    error: { message: expect.stringContaining('1 s') },
    attempts: ['timeout'],
  });
});

test('a job’s own timeoutSeconds lets its run take longer than the definition’s would', async () => {
  expect(await ended('brief', 30)).toMatchObject({ status: 'succeeded', attempts: ['succeeded'] });
});
