import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PermanentError, RetryAfter } from '../../../src/core/errors.ts';
import { canceled, done, skipped, snoozed } from '../../../src/core/outcome.ts';
import type { Handler, HandlerContext } from '../../../workers/handler.ts';
import { waitFor } from '../../support/wait.ts';
import { openScriptedWorker, type ScriptedWorker } from './support/scripted-worker.ts';

// Whatever JavaScript can make is thrown, returned, logged and given as progress: each job ends, by its own
// run, and the worker goes on.

let worker: ScriptedWorker;

beforeAll(async () => {
  worker = await openScriptedWorker();
});
beforeEach(() => worker.q.clear());
afterAll(() => worker.close());

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const thrower = (): never => {
  throw new Error('from within');
};

/**
 * As TypeScript makes of `class ApiError extends Error { message: string }`, which declares the field again.
 */
class ApiError extends Error {
  override message = undefined as unknown as string;
}

function errorWith(fields: PropertyDescriptorMap): Error {
  return Object.defineProperties(new Error('as made'), fields);
}

const circle: Record<string, unknown> = {};
circle['itself'] = circle;

/** Objects that trip what reads them; made again each time. */
const oddities: readonly (() => unknown)[] = [
  revoked,
  () => new Proxy({}, { get: thrower, has: thrower, ownKeys: thrower, getPrototypeOf: thrower }),
  () => new Proxy(new Error('behind a proxy'), { get: thrower }),
  () => ({ toJSON: thrower }),
  () => ({ toString: thrower, valueOf: thrower }),
  () => ({
    get kind() {
      return thrower();
    },
  }),
  () => ({
    kind: 'done',
    get result() {
      return thrower();
    },
  }),
  () => ({ kind: 'done', result: null, artifacts: [null] }),
  () => ({ kind: 'done', result: null, artifacts: [{ metadata: { toJSON: thrower } }] }),
  () => ({ kind: 'done', result: null, artifacts: 'none' }),
  () => Object.create(null),
  () => circle,
  () => Symbol('symbol'),
  () => 12n,
  () => thrower,
  () => new ApiError(),
  () => errorWith({ message: { value: null } }),
  () => errorWith({ message: { value: 5 }, name: { value: Symbol('name') } }),
  () => errorWith({ message: { get: thrower } }),
  () => errorWith({ name: { get: thrower }, stack: { get: thrower }, code: { get: thrower } }),
  () => errorWith({ message: { value: circle }, cause: { value: circle } }),
  () => new AggregateError([revoked()], 'several'),
  () => Object.assign(new PermanentError('Odd', 'odd'), { type: undefined, message: undefined }),
  () => Object.assign(new RetryAfter(1, 'odd'), { delaySeconds: 'soon', message: {} }),
  () => new Uint8Array(3),
  () => new Map([[circle, 1n]]),
  () => new Date(Number.NaN),
  () => '\0\ud800',
];

/** Makes a value; not the value itself, which fast-check would look into. */
const anything = fc.oneof(
  { arbitrary: fc.constantFrom(...oddities), weight: 3 },
  {
    arbitrary: fc
      .anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withNullPrototype: true,
        withSet: true,
        withTypedArray: true,
      })
      .map((value) => () => value),
    weight: 2,
  },
);

/** One thing that a handler does with a value. */
const deeds: Readonly<Record<string, (value: unknown, context: HandlerContext) => unknown>> = {
  throws: (value) => {
    throw value;
  },
  rejects: (value) => Promise.reject(value),
  returns: (value) => value,
  'returns as the result': (value) => done(value),
  'returns as artifacts': (value) => done(null, value as never),
  'skips with': (value) => skipped(value as never, value),
  'cancels with': (value) => canceled(value as never),
  'snoozes by': (value) => snoozed(typeof value === 'number' ? Number.NaN : (value as never), value as never),
  'fails for good with': (value) => {
    throw new PermanentError(value as never, value as never);
  },
  'asks to be tried again after': (value) => {
    throw new RetryAfter(value as never, value as never);
  },
  'gives as progress': (value, { progress }) => {
    progress(value as never);
    progress({ percent: value, stage: value, message: value, etaSeconds: value, preview: value } as never);
    return done('said');
  },
  logs: (value, { log }) => {
    log.info(value as never, value as never);
    log.warn('with data', { value, password: value });
    return done('said');
  },
};

/** Reached its end by the run itself: neither the lease nor the timeout had to end it. */
async function endOf(id: string): Promise<Record<string, unknown>> {
  return await waitFor(
    async () => {
      const job = await worker.q.job(id);
      return job['finished_at'] !== null && job;
    },
    { describe: `job ${id} to end by itself` },
  );
}

test('each job ends by its own first run, whatever its handler throws, returns, says and logs', async () => {
  const cases = fc.tuple(fc.constantFrom(...Object.keys(deeds)), anything);
  const property = fc.asyncProperty(cases, async ([deed, make]) => {
    const handler = ((context: HandlerContext) => deeds[deed]?.(make(), context)) as Handler<never>;
    worker.use({ task: handler });
    const [enqueued] = await worker.q.queue.enqueue(worker.tenantId, [
      { definitionKey: 'task', payload: {}, maxAttempts: 1 },
    ]);
    const job = await endOf(enqueued?.id ?? '');
    expect(job).toMatchObject({ run_no: 1, lost_lease_count: 0 });
    const error = job['last_error'] as { type: unknown; message: unknown } | null;
    if (job['status'] === 'succeeded' || job['status'] === 'canceled') return;
    expect(error).toMatchObject({ type: expect.any(String), message: expect.any(String) });
    expect(['LostLease', 'TimedOut']).not.toContain(error?.type);
  });
  await fc.assert(property, {
    numRuns: 300,
    interruptAfterTimeLimit: 90_000,
    markInterruptAsFailure: false,
    endOnFailure: true,
  });
});

test.each(oddities.map((make, at) => ({ make, at })))(
  'oddity $at ends its job in every way in which a handler can use it',
  async ({ make }) => {
    const deedNames = Object.keys(deeds);
    for (const deed of deedNames) {
      worker.use({ task: ((context: HandlerContext) => deeds[deed]?.(make(), context)) as Handler<never> });
      const [enqueued] = await worker.q.queue.enqueue(worker.tenantId, [
        { definitionKey: 'task', payload: {}, maxAttempts: 1 },
      ]);
      expect(await endOf(enqueued?.id ?? ''), deed).toMatchObject({ run_no: 1, lost_lease_count: 0 });
    }
  },
  60_000,
);

test('an outcome that cannot be written fails its job for good and says why', async () => {
  const endsAs = async (handler: () => unknown): Promise<unknown> => {
    const id = await worker.runJob('task', (async () => handler()) as unknown as Handler);
    const { status, last_error, run_no } = await endOf(id);
    expect({ status, run_no }).toEqual({ status: 'failed', run_no: 1 });
    return last_error;
  };
  expect(await endsAs(() => done({ toJSON: thrower }))).toMatchObject({
    type: 'UnwritableResult',
    message: 'The result cannot be written as JSON: from within',
  });
  expect(await endsAs(() => done('x'.repeat(1024 * 1024)))).toMatchObject({
    type: 'ResultTooLarge',
    message: expect.stringContaining('allowed: 1048576 (MILLRACE_MAX_RESULT_BYTES)'),
  });
  expect(await endsAs(() => snoozed(Number.NaN))).toMatchObject({
    type: 'InvalidOutcome',
    message: expect.stringContaining('snoozed with delaySeconds NaN; allowed: a number of seconds'),
  });
  expect(await endsAs(() => canceled(5 as never))).toMatchObject({
    type: 'InvalidOutcome',
    message: expect.stringContaining('canceled with reason 5; allowed: a text that says why'),
  });
  expect(
    await endsAs(() => {
      throw new RetryAfter(Number.NaN, 'busy');
    }),
  ).toMatchObject({ type: 'InvalidOutcome', message: expect.stringContaining('It said: busy') });
});

test('an error without a readable message is a failed attempt like any other', async () => {
  const id = await worker.runJob('task', async () => {
    throw new ApiError();
  });
  expect(await worker.finalJob(id)).toMatchObject({
    status: 'dead_letter',
    attempt_count: 3,
    last_error: { type: 'Error', message: 'Error without a message' },
  });
  expect(await worker.attempts(id)).toEqual(['failed', 'failed', 'failed']);
});

test('progress of other types than declared is shown as what it says', async () => {
  const go = Promise.withResolvers<void>();
  const id = await worker.runJob('task', async ({ progress }) => {
    progress({ stage: 5, message: { frames: 3 }, percent: 'many' } as never);
    await go.promise;
    return done();
  });
  const shown = await waitFor(
    async () => {
      const { rows } = await worker.q.superuser.query(
        'select percent, stage, message from millrace.job_progress where job_id = $1',
        [id],
      );
      return rows[0];
    },
    { describe: 'the progress to be written' },
  );
  expect(shown).toEqual({ percent: null, stage: '5', message: '{"frames":3}' });
  go.resolve();
  expect(await worker.finalJob(id)).toMatchObject({ status: 'succeeded' });
});
