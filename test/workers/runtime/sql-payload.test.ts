import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { done } from '../../../src/core/outcome.ts';
import type { Handler } from '../../../workers/handler.ts';
import type { RunningWorker } from '../../../workers/runtime/running-worker.ts';
import { openTestQueue, type TestQueue } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';
import { definitions } from './support/definitions.ts';
import { startTestWorker } from './support/worker.ts';

let q: TestQueue;
let worker: RunningWorker;
const called: unknown[] = [];

beforeAll(async () => {
  q = await openTestQueue(definitions);
  await q.makeTenant('sql');
  const poll: Handler = async ({ payload }) => {
    called.push(payload);
    return done(payload);
  };
  worker = await startTestWorker(q, { handlers: { poll: poll as never }, pollMs: 60_000 });
});
beforeEach(() => {
  called.length = 0;
});
afterAll(async () => {
  await worker?.stop();
  await q?.close();
});

async function run(payload: string): Promise<Record<string, unknown>> {
  const { rows } = await q.superuser.query(
    `select job_id from millrace.enqueue('poll', payload => $1::jsonb, tenant => 'sql')`,
    [payload],
  );
  return waitFor(
    async () => {
      const row = await q.job(rows[0].job_id);
      return row['finished_at'] !== null && row;
    },
    { describe: 'the job to end' },
  );
}

test('a payload from SQL that does not fit fails before the handler is called, says what is wrong, and is not retried', async () => {
  const job = await run('{"n": -1, "odd": true}');
  expect(job).toMatchObject({
    status: 'failed',
    run_no: 1,
    attempt_count: 1,
    last_error: { type: 'InvalidPayload', message: expect.stringMatching(/poll.*payload\.n must be >= 0/) },
  });
  expect(called).toEqual([]);
  const { rows } = await q.superuser.query('select status from millrace.job_attempts where job_id = $1', [
    job['id'],
  ]);
  expect(rows).toEqual([{ status: 'failed' }]);
});

test('one that fits wakes the worker by itself and gets the schema’s defaults', async () => {
  expect(await run('{"n": 3}')).toMatchObject({ status: 'succeeded' });
  expect(called).toEqual([{ n: 3, unit: 's' }]);
});
