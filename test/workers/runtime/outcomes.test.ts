import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { PermanentError, RetryAfter } from '../../../src/core/errors.ts';
import { canceled, done, skipped, snoozed } from '../../../src/core/outcome.ts';
import type { Handler } from '../../../workers/handler.ts';
import { waitFor } from '../../support/wait.ts';
import { openScriptedWorker, type ScriptedWorker } from './support/scripted-worker.ts';

let worker: ScriptedWorker;

beforeAll(async () => {
  worker = await openScriptedWorker('1.2.3');
});
// The one worker takes whatever waits.
beforeEach(() => worker.q.clear());
afterAll(() => worker.close());

test('a job that is done succeeds with its result, one attempt row and an unspent budget', async () => {
  const id = await worker.runJob('task', async () => done({ answer: 42 }));
  expect(await worker.finalJob(id)).toMatchObject({
    status: 'succeeded',
    result: { answer: 42 },
    attempt_count: 0,
    run_no: 1,
    last_error: null,
  });
  expect(await worker.attempts(id)).toEqual(['succeeded']);
});

test('a skipped job succeeds and says why', async () => {
  const id = await worker.runJob('task', async () => skipped('no audio'));
  expect(await worker.finalJob(id)).toMatchObject({ status: 'succeeded', reason: 'no audio' });
  expect(await worker.attempts(id)).toEqual(['skipped']);
});

test('an ordinary error is retried by the policy, and the job succeeds later', async () => {
  const id = await worker.runJob('task', (async ({ attemptCount }) => {
    if (attemptCount < 2) throw new Error('not yet');
    return done();
  }) as Handler);
  expect(await worker.finalJob(id)).toMatchObject({ status: 'succeeded', attempt_count: 2, run_no: 3 });
  expect(await worker.attempts(id)).toEqual(['failed', 'failed', 'succeeded']);
});

test('a job whose attempts are all spent goes to the dead letters with its last error', async () => {
  const id = await worker.runJob('task', async () => {
    throw new TypeError('never works');
  });
  expect(await worker.finalJob(id)).toMatchObject({
    status: 'dead_letter',
    attempt_count: 3,
    last_error: { type: 'TypeError', message: 'never works', retryCount: 2 },
  });
});

test('a permanent error fails the job at once', async () => {
  const id = await worker.runJob('task', async () => {
    throw new PermanentError('S3ObjectNotFound', 'videos/original/x is not there');
  });
  expect(await worker.finalJob(id)).toMatchObject({
    status: 'failed',
    attempt_count: 1,
    last_error: { type: 'S3ObjectNotFound' },
  });
  expect(await worker.attempts(id)).toEqual(['failed']);
});

test('what a context holds may be taken out of it', async () => {
  const id = await worker.runJob(
    'task',
    async ({ jobId, payload, signal, log, progress, fence, runNo, attemptCount }) => {
      log.info('taken out');
      progress({ percent: 50, stage: 'taken' });
      await fence();
      return done({ jobId, payload, aborted: signal.aborted, runNo, attemptCount });
    },
  );
  expect((await worker.finalJob(id))['result']).toMatchObject({
    jobId: id,
    payload: {},
    aborted: false,
    runNo: 1,
    attemptCount: 0,
  });
});

test('RetryAfter replaces the delay and spends the budget', async () => {
  const id = await worker.runJob('task', async () => {
    throw new RetryAfter(3600, 'rate limited');
  });
  const job = await waitFor(
    async () => {
      const row = await worker.q.job(id);
      return row['attempt_count'] === 1 ? row : undefined;
    },
    { describe: 'the first attempt to be settled' },
  );
  const aheadMs = (job['scheduled_for'] as Date).getTime() - Date.now();
  expect(job['status']).toBe('queued');
  expect(aheadMs / 1000).toBeGreaterThan(3500);
});

test('a payload that does not fit the schema fails the job before its handler is called', async () => {
  let called = false;
  const id = await worker.runJob(
    'poll',
    async () => {
      called = true;
      return done();
    },
    { n: -1, extra: true },
  );
  expect(await worker.finalJob(id)).toMatchObject({
    status: 'failed',
    last_error: { type: 'InvalidPayload' },
  });
  expect(called).toBe(false);
});

test('the handler gets the defaults of its schema', async () => {
  const id = await worker.runJob('poll', (async ({ payload }) => done(payload)) as Handler, { n: 3 });
  expect(await worker.finalJob(id)).toMatchObject({ result: { n: 3, unit: 's' } });
});

test('a snooze spends no attempt and writes no attempt row; over its limit the job fails as DeadlineExceeded', async () => {
  const id = await worker.runJob('poll', async () => snoozed(0.01, 'not ready yet'), { n: 1 });
  expect(await worker.finalJob(id)).toMatchObject({
    status: 'failed',
    snooze_count: 2,
    run_no: 3,
    last_error: { type: 'DeadlineExceeded' },
  });
  expect(await worker.attempts(id)).toEqual(['failed']);
});

test('a handler may end its job as canceled', async () => {
  const id = await worker.runJob('task', async () => canceled('the call was deleted'));
  expect(await worker.finalJob(id)).toMatchObject({ status: 'canceled', reason: 'the call was deleted' });
});

test('a run over its timeout gets the reason and counts as an attempt with status timeout', async () => {
  const reasons: string[] = [];
  const id = await worker.runJob('brief', (async ({ signal }) => {
    await sleep(20_000, undefined, { signal }).catch(() => reasons.push((signal.reason as Error).name));
    throw new Error('stopped');
  }) as Handler);
  expect(await worker.finalJob(id)).toMatchObject({
    status: 'dead_letter',
    attempt_count: 2,
    last_error: { type: 'TimedOut' },
  });
  expect(await worker.attempts(id)).toEqual(['timeout', 'timeout']);
  expect(reasons).toEqual(['TimedOut', 'TimedOut']);
});

test('a handler that ignores its signal is given up, and its slot stays taken until it really ends', async () => {
  const release = Promise.withResolvers<void>();
  // Its only slot is taken until then.
  onTestFinished(() => release.resolve());
  worker.use({
    brief: async () => {
      await release.promise;
      return done('too late');
    },
    task: async () => done(),
  });
  const [stuck] = await worker.q.queue.enqueue(worker.tenantId, [
    { definitionKey: 'brief', payload: {}, maxAttempts: 1 },
  ]);
  expect(await worker.finalJob(stuck?.id ?? '')).toMatchObject({
    status: 'dead_letter',
    last_error: { type: 'TimedOut' },
  });
  const [next] = await worker.q.queue.enqueue(worker.tenantId, [{ definitionKey: 'task', payload: {} }]);
  await sleep(700); // longer than the poll: it has looked, and had no slot
  expect((await worker.q.job(next?.id ?? ''))['status']).toBe('queued');
  release.resolve();
  expect(await worker.finalJob(next?.id ?? '')).toMatchObject({ status: 'succeeded' });
  expect(await worker.q.job(stuck?.id ?? '')).toMatchObject({ status: 'dead_letter', result: null });
});

test('jobs that lost four leases, or their whole budget, become dead letters without running', async () => {
  const runs: string[] = [];
  worker.use({
    task: async ({ jobId }) => {
      runs.push(jobId);
      return done();
    },
  });
  const tomorrow = new Date(Date.now() + 86_400_000);
  const [poison, spent] = await worker.q.queue.enqueue(worker.tenantId, [
    { definitionKey: 'task', payload: {}, maxAttempts: 100, scheduledFor: tomorrow },
    { definitionKey: 'task', payload: {}, maxAttempts: 3, scheduledFor: tomorrow },
  ]);
  const change =
    'update millrace.jobs set scheduled_for = now(), lost_lease_count = $2, attempt_count = $3 where id = $1';
  await worker.q.superuser.query(change, [poison?.id, 4, 4]);
  await worker.q.superuser.query(change, [spent?.id, 1, 3]);
  expect(await worker.finalJob(poison?.id ?? '')).toMatchObject({
    status: 'dead_letter',
    attempt_count: 4,
    last_error: { type: 'PoisonPill' },
  });
  expect(await worker.finalJob(spent?.id ?? '')).toMatchObject({
    status: 'dead_letter',
    attempt_count: 3,
    last_error: { type: 'LostLease' },
  });
  expect(runs).toEqual([]);
});

test('progress is written while a job runs, coalesced, and its last word is kept', async () => {
  const id = await worker.runJob('task', (async ({ progress, signal }) => {
    for (let percent = 0; percent <= 100; percent++)
      progress({ percent, ...(percent === 0 ? { stage: 'count' } : {}) });
    await sleep(400, undefined, { signal });
    progress({ percent: 250, message: 'a\0b' });
    return done();
  }) as Handler);
  await worker.finalJob(id);
  const { rows } = await worker.q.superuser.query('select * from millrace.job_progress where job_id = $1', [
    id,
  ]);
  expect(rows).toMatchObject([
    { run_no: 1, percent: 100, stage: 'count', message: 'a\u2400b', eta_seconds: 0 },
  ]);
});

test('the worker shows itself while it runs', async () => {
  const rows = await waitFor(
    async () => {
      const shown = await worker.q.superuser.query(
        'select * from millrace.job_workers where worker_id = $1',
        [worker.worker.workerId],
      );
      return shown.rows.length > 0 && shown.rows;
    },
    { describe: 'its row' },
  );
  expect(rows).toMatchObject([
    {
      concurrency: 1,
      version: '1.2.3',
      definition_keys: ['task', 'patient', 'brief', 'poll', 'steady'],
      pid: process.pid,
      stopping_at: null,
    },
  ]);
});
