import { Type } from 'typebox';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { defineJob } from '../../../src/core/definition.ts';
import { PermanentError } from '../../../src/core/errors.ts';
import { done } from '../../../src/core/outcome.ts';
import type { Handler } from '../../../workers/handler.ts';
import type { RunningWorker } from '../../../workers/runtime/running-worker.ts';
import { openTestQueue, succeeded, type TestQueue } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';
import { startTestWorker } from './support/worker.ts';

const payload = Type.Any();
const retryPolicy = { baseSeconds: 0.05, factor: 1, jitter: 0 };
const order = defineJob({ key: 'order', payload, leaseSeconds: 2, maxAttempts: 2, retryPolicy });
const part = defineJob({ key: 'part', payload, leaseSeconds: 2, maxAttempts: 1 });
const refund = defineJob({ key: 'refund', payload, leaseSeconds: 2 });
const charge = defineJob({
  key: 'charge',
  payload,
  leaseSeconds: 2,
  timeoutSeconds: 1,
  maxAttempts: 1,
  onFailure: 'refund',
});

const definitions = [order, part, refund, charge];

let q: TestQueue;
let tenantId: string;
let worker: RunningWorker;
let handlers: Record<string, Handler>;

beforeAll(async () => {
  q = await openTestQueue(definitions);
  tenantId = await q.makeTenant();
  const now =
    (key: string): Handler =>
    (context) =>
      (handlers[key] ?? (async () => done()))(context);
  worker = await startTestWorker(q, {
    concurrency: 2,
    definitions,
    handlers: { order: now('order'), part: now('part'), refund: now('refund'), charge: now('charge') },
  });
});
beforeEach(async () => {
  handlers = {};
  await q.clear();
});
afterAll(async () => {
  await worker.stop(0);
  await q.close();
});

async function enqueue(key: string, content: unknown = {}): Promise<string> {
  const subject = { type: 'order', id: '7' };
  const input = { definitionKey: key, payload: content, correlationId: 'c-1', subject, createdBy: 'user:a' };
  const [enqueued] = await q.queue.enqueue(tenantId, [input]);
  return enqueued?.id ?? '';
}

/** Jobs of a definition, once there are as many and all have ended. */
function ended(key: string, count = 1): Promise<readonly Record<string, unknown>[]> {
  return waitFor(
    async () => {
      const { rows } = await q.superuser.query(
        `select j.* from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
         where d.key = $1 order by j.finished_at`,
        [key],
      );
      return rows.length === count && rows.every(({ finished_at }) => finished_at !== null)
        ? rows
        : undefined;
    },
    { describe: `${count} jobs of ${key} to end` },
  );
}

test('a handler fans out and joins: next jobs run after its own has settled, the last after all others', async () => {
  const ran: string[] = [];
  handlers['part'] = async (context) => {
    ran.push((context.payload as { name: string }).name);
    return done();
  };
  handlers['order'] = async () =>
    done('made', {
      next: [
        { definition: part, key: 'last', after: ['one', 'two'], payload: { name: 'last' } },
        { definition: part, key: 'one', payload: { name: 'one' }, priority: 5 },
        { definition: 'part', key: 'two', payload: { name: 'two' }, subject: null },
      ],
    });
  const id = await enqueue('order');
  const parts = await ended('part', 3);
  expect(ran.at(-1)).toBe('last');
  expect(ran.toSorted()).toEqual(['last', 'one', 'two']);
  expect(await q.job(id)).toMatchObject({ status: 'succeeded', result: 'made' });
  for (const row of parts)
    expect(row).toMatchObject({
      source: 'system',
      source_ref: id,
      correlation_id: 'c-1',
      created_by: 'user:a',
    });
  expect(parts.map(({ priority }) => priority).toSorted()).toEqual([100, 100, 5]);
  expect(parts.filter(({ subject_id }) => subject_id === '7')).toHaveLength(2);
});

test('next jobs of a run whose lease is lost are not enqueued, and of one that settles twice once', async () => {
  await worker.stop(0);
  const id = await enqueue('order');
  const [claimed] = await q.claim(1);
  if (claimed === undefined) throw new Error('nothing was claimed');
  const next = [{ definition: part, payload: {} }];
  const finish = { kind: 'final', settlement: { ...succeeded().settlement, next } } as const;
  const measure = { startedAtMs: Date.now(), wallMs: 5, cpuMs: 1 };
  const stolen = { ...claimed, lease: { ...claimed.lease, runNo: claimed.lease.runNo - 1 } };
  const count = async () =>
    (await q.superuser.query('select count(*)::integer as n from millrace.jobs where source_ref = $1', [id]))
      .rows[0].n;
  expect(await q.queue.finish(stolen, finish, measure)).toBe('notOwner');
  expect(await count()).toBe(0);
  expect(await q.queue.finish(claimed, finish, measure)).toBe('settled');
  expect(await q.queue.finish(claimed, finish, measure)).toBe('notOwner');
  expect(await count()).toBe(1);
  worker = await startTestWorker(q, {
    concurrency: 2,
    definitions,
    handlers: Object.fromEntries(
      ['order', 'part', 'refund', 'charge'].map((key) => [
        key,
        ((context) => (handlers[key] ?? (async () => done()))(context)) as Handler,
      ]),
    ),
  });
});

test.each([
  ['a circle', [{ definition: 'part', payload: {}, key: 'a', after: ['a'] }], 'InvalidOutcome'],
  ['an unknown name', [{ definition: 'part', payload: {}, after: ['b'] }], 'InvalidOutcome'],
  ['no definition', [{ payload: {} }], 'InvalidOutcome'],
  ['no list', 'part', 'InvalidOutcome'],
  ['an unknown definition', [{ definition: 'nobody', payload: {} }], 'NextJobRefused'],
])(
  'a handler that returns next jobs with %s fails by its own fault, and none is enqueued',
  async (_, next, type) => {
    handlers['order'] = async () => ({ kind: 'done', result: null, artifacts: [], next: next as never });
    const id = await enqueue('order');
    await ended('order');
    expect(await q.job(id)).toMatchObject({ status: 'failed', last_error: { type } });
    const { rows } = await q.superuser.query('select 1 from millrace.jobs where source_ref = $1', [id]);
    expect(rows).toEqual([]);
  },
);

test('a final failure enqueues the job that its definition names, with the error and what the job was given', async () => {
  handlers['charge'] = async () => {
    throw new PermanentError('CardDeclined', 'the bank said no');
  };
  const id = await enqueue('charge', { cents: 500 });
  const [row] = await ended('refund');
  expect(row).toMatchObject({ source_ref: id, correlation_id: 'c-1', subject_id: '7' });
  expect(row?.['payload']).toMatchObject({
    jobId: id,
    definition: 'charge',
    payload: { cents: 500 },
    error: { type: 'CardDeclined', message: 'the bank said no' },
  });
});

test('so does a job that ends by its timeout, and one that ends because its worker was lost', async () => {
  handlers['charge'] = ({ signal }) =>
    new Promise((_, failed) => signal.addEventListener('abort', () => failed(signal.reason), { once: true }));
  await enqueue('charge');
  const [timedOut] = await ended('refund');
  expect(timedOut?.['payload']).toMatchObject({ error: { message: expect.stringContaining('1 s') } });
  await q.clear();
  handlers = {};
  // As maintenance leaves it after its worker has died time and again: the next worker ends it without a run.
  const later = { definitionKey: 'charge', payload: {}, scheduledFor: new Date(Date.now() + 3_600_000) };
  const id = (await q.queue.enqueue(tenantId, [later]))[0]?.id ?? '';
  await q.superuser.query(
    'update millrace.jobs set lost_lease_count = 4, scheduled_for = clock_timestamp() where id = $1',
    [id],
  );
  const [lost] = await ended('refund');
  expect(lost?.['payload']).toMatchObject({ jobId: id, error: { type: 'PoisonPill' } });
});

test('a failure is stored although the job that should follow it is switched off', async () => {
  await q.superuser.query(`update millrace.job_definitions set is_active = false where key = 'refund'`);
  handlers['charge'] = async () => {
    throw new PermanentError('CardDeclined', 'no');
  };
  const id = await enqueue('charge');
  await ended('charge');
  await q.superuser.query(`update millrace.job_definitions set is_active = true where key = 'refund'`);
  expect(await q.job(id)).toMatchObject({ status: 'failed', last_error: { type: 'CardDeclined' } });
  const { rows } = await q.superuser.query('select 1 from millrace.jobs where source_ref = $1', [id]);
  expect(rows).toEqual([]);
});
