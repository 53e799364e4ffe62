import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PermanentError } from '../../../src/core/errors.ts';
import { done } from '../../../src/core/outcome.ts';
import type { Handler } from '../../../workers/handler.ts';
import { waitFor } from '../../support/wait.ts';
import { openScriptedWorker, type ScriptedWorker } from './support/scripted-worker.ts';

let worker: ScriptedWorker;

beforeAll(async () => {
  worker = await openScriptedWorker();
});
// The one worker takes whatever waits.
beforeEach(() => worker.q.clear());
afterAll(() => worker.close());

test('whatever is thrown fails the job, also what nothing can write out, and the worker goes on', async () => {
  const thrown = Object.create(null) as Record<string, unknown>;
  thrown['itself'] = thrown;
  const id = await worker.runJob('task', async () => {
    throw thrown;
  });
  await waitFor(async () => (await worker.attempts(id)).length > 0, { describe: 'the run to end' });
  expect(await worker.attempts(id)).toEqual(['failed']);
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const other = await worker.runJob('task', () => Promise.reject(proxy));
  await waitFor(async () => (await worker.attempts(other)).length > 0, { describe: 'the other run to end' });
  expect((await worker.finalJob(await worker.runJob('task', async () => done('still here'))))['result']).toBe(
    'still here',
  );
});

test('a handler may throw at once, or return what is no promise', async () => {
  const thrower = (() => {
    throw new PermanentError('AtOnce', 'before any promise');
  }) as unknown as Handler<never>;
  expect(await worker.finalJob(await worker.runJob('task', thrower))).toMatchObject({
    status: 'failed',
    last_error: { type: 'AtOnce' },
  });
  const plain = (() => done('at once')) as unknown as Handler<never>;
  expect(await worker.finalJob(await worker.runJob('task', plain))).toMatchObject({
    status: 'succeeded',
    result: 'at once',
  });
  const thenable = (() => {
    const later = Promise.resolve(done('then'));
    // As a user's own library may return it: no promise of ours, but it can be waited for.
    return Object.defineProperty({}, 'then', { value: later.then.bind(later) });
  }) as unknown as Handler<never>;
  expect(await worker.finalJob(await worker.runJob('task', thenable))).toMatchObject({ result: 'then' });
  const strange = (() => ({ kind: 1n })) as unknown as Handler<never>;
  expect(await worker.finalJob(await worker.runJob('task', strange))).toMatchObject({
    last_error: { type: 'InvalidOutcome' },
  });
  const nothing = (() => undefined) as unknown as Handler<never>;
  expect(await worker.finalJob(await worker.runJob('task', nothing))).toMatchObject({
    last_error: { type: 'InvalidOutcome' },
  });
});

test('a promise whose `then` was replaced is waited for all the same, and ends its run once', async () => {
  const withThen = (then: (worker: (outcome: unknown) => void) => void): Handler<never> =>
    (() =>
      Object.defineProperty(Promise.resolve(done('its own')), 'then', { value: then })) as Handler<never>;
  const twice = withThen((hear) => {
    hear(done('first'));
    hear(done('second'));
  });
  const thrower = withThen(() => {
    throw new Error('thrown by then');
  });
  for (const handler of [twice, thrower, withThen(() => undefined)]) {
    const id = await worker.runJob('task', handler);
    expect(await worker.finalJob(id)).toMatchObject({ status: 'succeeded', result: 'its own', run_no: 1 });
    expect(await worker.attempts(id)).toEqual(['succeeded']);
  }
});

test('a result that JSON cannot hold fails the job, and says so', async () => {
  const id = await worker.runJob('task', async () => done({ big: 1n }));
  expect(await worker.finalJob(id)).toMatchObject({
    status: 'failed',
    last_error: { type: 'UnwritableResult' },
  });
  expect(await worker.attempts(id)).toEqual(['failed']);
});

test('a result with a number that JSON lacks fails the job and names its path, rather than to become null', async () => {
  const id = await worker.runJob('task', async () => done({ scores: [0.5, Number.NaN] }));
  expect(await worker.finalJob(id)).toMatchObject({
    status: 'failed',
    last_error: {
      type: 'UnwritableResult',
      message: 'scores[1] of the result is NaN, which JSON does not have; allowed: finite numbers, or null.',
    },
  });
  expect(await worker.attempts(id)).toEqual(['failed']);
});

test('a handler that returns nothing fails its job, saying what is allowed', async () => {
  const id = await worker.runJob('task', (async () => undefined) as unknown as Handler);
  expect(await worker.finalJob(id)).toMatchObject({
    status: 'failed',
    last_error: { type: 'InvalidOutcome' },
  });
});

test('what JSON cannot hold ends the job as an UnwritableResult; stray bytes are cleaned and stored', async () => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  const id = await worker.runJob(
    'task',
    (async ({ payload }) =>
      done((payload as { bad?: boolean }).bad ? cycle : { text: 'a\0b\ud800' })) as Handler,
    { bad: true },
  );
  const [clean] = await worker.q.queue.enqueue(worker.tenantId, [{ definitionKey: 'task', payload: {} }]);
  expect(await worker.finalJob(id)).toMatchObject({
    status: 'failed',
    last_error: { type: 'UnwritableResult' },
  });
  expect(await worker.finalJob(clean?.id ?? '')).toMatchObject({
    status: 'succeeded',
    result: { text: 'a\u2400b\ufffd' },
  });
});
