import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { PermanentError, RetryAfter } from '../../src/core/errors.ts';
import { canceled, done, skipped, snoozed } from '../../src/core/outcome.ts';
import type { Handler } from '../../workers/handler.ts';
import type { RunningWorker } from '../../workers/runtime/running-worker.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';
import { definitions } from './support/definitions.ts';
import { startTestWorker } from './support/worker.ts';

let q: TestQueue;
let tenantId: string;
let worker: RunningWorker;
/** What each definition does now; one worker serves all tests. */
let handlers: Readonly<Record<string, Handler<never>>> = {};

beforeAll(async () => {
  q = await openTestQueue(definitions);
  tenantId = await q.makeTenant();
  const now =
    (key: string): Handler =>
    (context) => {
      const handler = handlers[key] as Handler | undefined;
      if (handler === undefined) throw new Error(`this test wrote no handler for ${key}`);
      return handler(context);
    };
  worker = await startTestWorker(q, {
    concurrency: 1,
    version: '1.2.3',
    handlers: { task: now('task'), brief: now('brief'), poll: now('poll') },
  });
});
// The one worker takes whatever waits.
beforeEach(() => q.clear());
afterAll(async () => {
  await worker.stop(0);
  await q.close();
});

async function runJob(key: string, handler: Handler<never>, payload: unknown = {}): Promise<string> {
  handlers = { [key]: handler };
  const [enqueued] = await q.queue.enqueue(tenantId, [{ definitionKey: key, payload }]);
  return enqueued?.id ?? '';
}

async function finalJob(id: string): Promise<Record<string, unknown>> {
  return waitFor(
    async () => {
      const job = await q.job(id);
      return job['finished_at'] === null ? undefined : job;
    },
    { describe: `job ${id} to be final` },
  );
}

async function attempts(id: string): Promise<readonly string[]> {
  const { rows } = await q.superuser.query(
    'select status from millrace.job_attempts where job_id = $1 order by attempt_no',
    [id],
  );
  return rows.map((row) => row.status);
}

test('a job that is done succeeds with its result, one attempt row and an unspent budget', async () => {
  const id = await runJob('task', async () => done({ answer: 42 }));
  expect(await finalJob(id)).toMatchObject({
    status: 'succeeded',
    result: { answer: 42 },
    attempt_count: 0,
    run_no: 1,
    last_error: null,
  });
  expect(await attempts(id)).toEqual(['succeeded']);
});

test('a skipped job succeeds and says why', async () => {
  const id = await runJob('task', async () => skipped('no audio'));
  expect(await finalJob(id)).toMatchObject({ status: 'succeeded', reason: 'no audio' });
  expect(await attempts(id)).toEqual(['skipped']);
});

test('an ordinary error is retried by the policy, and the job succeeds later', async () => {
  const id = await runJob('task', (async ({ attemptCount }) => {
    if (attemptCount < 2) throw new Error('not yet');
    return done();
  }) as Handler);
  expect(await finalJob(id)).toMatchObject({ status: 'succeeded', attempt_count: 2, run_no: 3 });
  expect(await attempts(id)).toEqual(['failed', 'failed', 'succeeded']);
});

test('a job whose attempts are all spent goes to the dead letters with its last error', async () => {
  const id = await runJob('task', async () => {
    throw new TypeError('never works');
  });
  expect(await finalJob(id)).toMatchObject({
    status: 'dead_letter',
    attempt_count: 3,
    last_error: { type: 'TypeError', message: 'never works', retryCount: 2 },
  });
});

test('a permanent error fails the job at once', async () => {
  const id = await runJob('task', async () => {
    throw new PermanentError('S3ObjectNotFound', 'videos/original/x is not there');
  });
  expect(await finalJob(id)).toMatchObject({
    status: 'failed',
    attempt_count: 1,
    last_error: { type: 'S3ObjectNotFound' },
  });
  expect(await attempts(id)).toEqual(['failed']);
});

test('whatever is thrown fails the job, also what nothing can write out, and the worker goes on', async () => {
  const thrown = Object.create(null) as Record<string, unknown>;
  thrown['itself'] = thrown;
  const id = await runJob('task', async () => {
    throw thrown;
  });
  await waitFor(async () => (await attempts(id)).length > 0, { describe: 'the run to end' });
  expect(await attempts(id)).toEqual(['failed']);
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const other = await runJob('task', () => Promise.reject(proxy));
  await waitFor(async () => (await attempts(other)).length > 0, { describe: 'the other run to end' });
  expect((await finalJob(await runJob('task', async () => done('still here'))))['result']).toBe('still here');
});

test('a handler may throw at once, or return what is no promise', async () => {
  const thrower = (() => {
    throw new PermanentError('AtOnce', 'before any promise');
  }) as unknown as Handler<never>;
  expect(await finalJob(await runJob('task', thrower))).toMatchObject({
    status: 'failed',
    last_error: { type: 'AtOnce' },
  });
  const plain = (() => done('at once')) as unknown as Handler<never>;
  expect(await finalJob(await runJob('task', plain))).toMatchObject({
    status: 'succeeded',
    result: 'at once',
  });
  const thenable = (() => {
    const later = Promise.resolve(done('then'));
    // As a user's own library may return it: no promise of ours, but it can be waited for.
    return Object.defineProperty({}, 'then', { value: later.then.bind(later) });
  }) as unknown as Handler<never>;
  expect(await finalJob(await runJob('task', thenable))).toMatchObject({ result: 'then' });
  const strange = (() => ({ kind: 1n })) as unknown as Handler<never>;
  expect(await finalJob(await runJob('task', strange))).toMatchObject({
    last_error: { type: 'InvalidOutcome' },
  });
  const nothing = (() => undefined) as unknown as Handler<never>;
  expect(await finalJob(await runJob('task', nothing))).toMatchObject({
    last_error: { type: 'InvalidOutcome' },
  });
});

test('a result that JSON cannot hold fails the job, and says so', async () => {
  const id = await runJob('task', async () => done({ big: 1n }));
  expect(await finalJob(id)).toMatchObject({ status: 'failed', last_error: { type: 'SettleError' } });
  expect(await attempts(id)).toEqual(['failed']);
});

test('what a context holds may be taken out of it', async () => {
  const id = await runJob(
    'task',
    async ({ jobId, payload, signal, log, progress, fence, runNo, attemptCount }) => {
      log.info('taken out');
      progress({ percent: 50, stage: 'taken' });
      await fence();
      return done({ jobId, payload, aborted: signal.aborted, runNo, attemptCount });
    },
  );
  expect((await finalJob(id))['result']).toMatchObject({
    jobId: id,
    payload: {},
    aborted: false,
    runNo: 1,
    attemptCount: 0,
  });
});

test('RetryAfter replaces the delay and spends the budget', async () => {
  const id = await runJob('task', async () => {
    throw new RetryAfter(3600, 'rate limited');
  });
  const job = await waitFor(
    async () => {
      const row = await q.job(id);
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
  const id = await runJob(
    'poll',
    async () => {
      called = true;
      return done();
    },
    { n: -1, extra: true },
  );
  expect(await finalJob(id)).toMatchObject({ status: 'failed', last_error: { type: 'InvalidPayload' } });
  expect(called).toBe(false);
});

test('the handler gets the defaults of its schema', async () => {
  const id = await runJob('poll', (async ({ payload }) => done(payload)) as Handler, { n: 3 });
  expect(await finalJob(id)).toMatchObject({ result: { n: 3, unit: 's' } });
});

test('a snooze spends no attempt and writes no attempt row; over its limit the job fails as DeadlineExceeded', async () => {
  const id = await runJob('poll', async () => snoozed(0.01, 'not ready yet'), { n: 1 });
  expect(await finalJob(id)).toMatchObject({
    status: 'failed',
    snooze_count: 2,
    run_no: 3,
    last_error: { type: 'DeadlineExceeded' },
  });
  expect(await attempts(id)).toEqual(['failed']);
});

test('a handler may end its job as canceled', async () => {
  const id = await runJob('task', async () => canceled('the call was deleted'));
  expect(await finalJob(id)).toMatchObject({ status: 'canceled', reason: 'the call was deleted' });
});

test('a handler that returns nothing fails its job, saying what is allowed', async () => {
  const id = await runJob('task', (async () => undefined) as unknown as Handler);
  expect(await finalJob(id)).toMatchObject({ status: 'failed', last_error: { type: 'InvalidOutcome' } });
});

test('a run over its timeout is told why and counts as an attempt with status timeout', async () => {
  const reasons: string[] = [];
  const id = await runJob('brief', (async ({ signal }) => {
    await sleep(20_000, undefined, { signal }).catch(() => reasons.push((signal.reason as Error).name));
    throw new Error('stopped');
  }) as Handler);
  expect(await finalJob(id)).toMatchObject({
    status: 'dead_letter',
    attempt_count: 2,
    last_error: { type: 'TimedOut' },
  });
  expect(await attempts(id)).toEqual(['timeout', 'timeout']);
  expect(reasons).toEqual(['TimedOut', 'TimedOut']);
});

test('a handler that ignores its signal is given up, and its slot stays taken until it really ends', async () => {
  const release = Promise.withResolvers<void>();
  // Its only slot is taken until then.
  onTestFinished(() => release.resolve());
  handlers = {
    brief: async () => {
      await release.promise;
      return done('too late');
    },
    task: async () => done(),
  };
  const [stuck] = await q.queue.enqueue(tenantId, [{ definitionKey: 'brief', payload: {}, maxAttempts: 1 }]);
  expect(await finalJob(stuck?.id ?? '')).toMatchObject({
    status: 'dead_letter',
    last_error: { type: 'TimedOut' },
  });
  const [next] = await q.queue.enqueue(tenantId, [{ definitionKey: 'task', payload: {} }]);
  await sleep(700); // longer than the poll: it has looked, and had no slot
  expect((await q.job(next?.id ?? ''))['status']).toBe('queued');
  release.resolve();
  expect(await finalJob(next?.id ?? '')).toMatchObject({ status: 'succeeded' });
  expect(await q.job(stuck?.id ?? '')).toMatchObject({ status: 'dead_letter', result: null });
});

test('what JSON cannot hold ends the job as a SettleError; stray bytes are cleaned and stored', async () => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  const id = await runJob(
    'task',
    (async ({ payload }) =>
      done((payload as { bad?: boolean }).bad ? cycle : { text: 'a\0b\ud800' })) as Handler,
    { bad: true },
  );
  const [clean] = await q.queue.enqueue(tenantId, [{ definitionKey: 'task', payload: {} }]);
  expect(await finalJob(id)).toMatchObject({ status: 'failed', last_error: { type: 'SettleError' } });
  expect(await finalJob(clean?.id ?? '')).toMatchObject({
    status: 'succeeded',
    result: { text: 'a\u2400b\ufffd' },
  });
});

test('jobs that lost four leases, or their whole budget, become dead letters without running', async () => {
  const runs: string[] = [];
  handlers = {
    task: async ({ jobId }) => {
      runs.push(jobId);
      return done();
    },
  };
  const tomorrow = new Date(Date.now() + 86_400_000);
  const [poison, spent] = await q.queue.enqueue(tenantId, [
    { definitionKey: 'task', payload: {}, maxAttempts: 100, scheduledFor: tomorrow },
    { definitionKey: 'task', payload: {}, maxAttempts: 3, scheduledFor: tomorrow },
  ]);
  const change =
    'update millrace.jobs set scheduled_for = now(), lost_lease_count = $2, attempt_count = $3 where id = $1';
  await q.superuser.query(change, [poison?.id, 4, 4]);
  await q.superuser.query(change, [spent?.id, 1, 3]);
  expect(await finalJob(poison?.id ?? '')).toMatchObject({
    status: 'dead_letter',
    attempt_count: 4,
    last_error: { type: 'PoisonPill' },
  });
  expect(await finalJob(spent?.id ?? '')).toMatchObject({
    status: 'dead_letter',
    attempt_count: 3,
    last_error: { type: 'LostLease' },
  });
  expect(runs).toEqual([]);
});

test('progress is written while a job runs, coalesced, and its last word is kept', async () => {
  const id = await runJob('task', (async ({ progress, signal }) => {
    for (let percent = 0; percent <= 100; percent++)
      progress({ percent, ...(percent === 0 ? { stage: 'count' } : {}) });
    await sleep(400, undefined, { signal });
    progress({ percent: 250, message: 'a\0b' });
    return done();
  }) as Handler);
  await finalJob(id);
  const { rows } = await q.superuser.query('select * from millrace.job_progress where job_id = $1', [id]);
  expect(rows).toMatchObject([
    { run_no: 1, percent: 100, stage: 'count', message: 'a\u2400b', eta_seconds: 0 },
  ]);
});

test('the worker shows itself while it runs', async () => {
  const rows = await waitFor(
    async () => {
      const shown = await q.superuser.query('select * from millrace.job_workers where worker_id = $1', [
        worker.workerId,
      ]);
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
