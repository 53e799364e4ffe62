import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { EnqueueInput } from '../../src/core/queue.ts';
import { WORK_CHANNEL } from '../../src/db/channels.ts';
import type { DefinitionRow } from '../../src/db/sql/queue/find-definitions.ts';
import { PostgresProducerQueue } from '../../src/queue/producer-verbs.ts';
import { testPipelines } from '../support/pipelines.ts';
import { measured, openTestQueue, succeeded, type TestQueue } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';

let q: TestQueue;
beforeAll(async () => {
  q = await openTestQueue();
});
beforeEach(() => q.clear());
afterAll(() => q.close());

const one = { definitionKey: 'alpha', payload: {} };

async function countOf(tenantId: string): Promise<number> {
  const { rows } = await q.superuser.query(
    'select count(*)::int as n from millrace.jobs where tenant_id = $1',
    [tenantId],
  );
  return rows[0].n;
}

describe('enqueueMany', () => {
  test('gives each item its own result, and a bad one fails nobody else', async () => {
    const tenantId = await q.makeTenant();
    const [parent] = await q.queue.enqueue(tenantId, [one]);
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const results = await q.queue.enqueueMany(tenantId, [
      one,
      { ...one, definitionKey: 'nobody' },
      { ...one, priority: Number.NaN },
      { ...one, dedupeKey: 'twice' },
      { ...one, payload: circle },
      { ...one, dedupeKey: 'twice' },
      { ...one, dependsOn: [{ jobId: parent?.id ?? '' }] },
      { ...one, dependsOn: [{ jobId: '01900000-0000-7000-8000-000000000000' }] },
      { ...one, expiresAt: new Date(Date.now() - 60_000) },
      null as never,
      { ...one, payload: 'x'.repeat(2_000_000) },
      one,
    ]);
    const shown = results.map((result) =>
      result.kind === 'invalid' ? [result.error.code, result.error.details.field] : result.kind,
    );
    expect(shown).toEqual([
      'created',
      ['UnknownDefinition', 'inputs[1].definitionKey'],
      ['InvalidArgument', 'inputs[2].priority'],
      'created',
      ['InvalidPayload', 'inputs[4].payload'],
      'existing',
      'created',
      ['InvalidArgument', 'inputs[7].dependsOn[0].jobId'],
      ['InvalidArgument', 'inputs[8].expiresAt'],
      ['InvalidArgument', 'inputs[9]'],
      ['PayloadTooLarge', 'inputs[10].payload'],
      'created',
    ]);
    expect(results[5]).toMatchObject({ id: (results[3] as { id: string }).id });
    expect(await countOf(tenantId)).toBe(5);
    expect(await q.job((results[6] as { id: string }).id)).toMatchObject({ pending_dependencies: 1 });
  });

  test('writes any number up to 10,000 in one transaction, wakes workers by one small notification, and refuses more', async () => {
    const tenantId = await q.makeTenant();
    const listener = new pg.Client({ connectionString: q.url });
    await listener.connect();
    const heard: (string | undefined)[] = [];
    listener.on('notification', ({ payload }) => heard.push(payload));
    await listener.query(`listen ${WORK_CHANNEL}`);
    try {
      const results = await q.queue.enqueueMany(
        tenantId,
        Array.from({ length: 10_000 }, (_, n) => ({
          ...one,
          payload: { n },
          correlationId: 'x'.repeat(200),
        })),
      );
      expect(new Set(results.map((result) => result.kind))).toEqual(new Set(['created']));
      await waitFor(() => heard.length > 0, { describe: 'the notification' });
      expect(Math.max(...heard.map((payload) => payload?.length ?? 0))).toBeLessThan(100);
      const { rows } = await q.superuser.query(
        `select count(*)::int as n, count(distinct j.xmin::text)::int as transactions, bool_and((j.payload->>'n')::int = p.place - 1) as in_order
         from millrace.jobs j join unnest($2::uuid[]) with ordinality as p (id, place) on p.id = j.id
         where j.tenant_id = $1`,
        [tenantId, results.map((result) => (result as { id: string }).id)],
      );
      expect(rows[0]).toEqual({ n: 10_000, transactions: 1, in_order: true });
      await expect(q.queue.enqueueMany(tenantId, Array(10_001).fill(one))).rejects.toMatchObject({
        code: 'InvalidArgument',
        details: { allowed: 'at most 10000 jobs in one call' },
      });
    } finally {
      await listener.end();
    }
  });

  test('of jobs of one definition is one statement and no transaction beside; of what must be looked up or waited for it is one', async () => {
    const tenantId = await q.makeTenant();
    const [parent] = await q.queue.enqueue(tenantId, [one]);
    const transactions = vi.spyOn(q.db, 'transaction');
    const statements = vi.spyOn(q.db, 'asWorker');
    const seen = async (inputs: readonly EnqueueInput[]): Promise<readonly number[]> => {
      vi.clearAllMocks();
      const results = await q.queue.enqueueMany(tenantId, inputs);
      expect(results.every(({ kind }) => kind === 'created')).toBe(true);
      const inserts = statements.mock.calls.filter(([{ name }]) => name.startsWith('insert_'));
      return [inserts.length, transactions.mock.calls.length];
    };
    try {
      expect(await seen([one, { ...one, priority: 1 }, { ...one, createdBy: 'somebody' }])).toEqual([1, 0]);
      expect(await seen([one])).toEqual([1, 0]);
      expect(await seen([one, { ...one, definitionKey: 'beta' }])).toEqual([0, 1]);
      expect(await seen([one, { ...one, dedupeKey: 'k' }])).toEqual([0, 1]);
      expect((await seen([one, { ...one, dependsOn: [{ jobId: parent?.id ?? '' }] }])).at(0)).toBe(0);
      expect(await seen(Array(2_001).fill(one))).toEqual([0, 1]);
    } finally {
      vi.restoreAllMocks();
    }
  });

  test('of a definition that changes before they are written is checked again as a whole, and written once', async () => {
    const producer = new PostgresProducerQueue(q.db, q.notifier, { pipelines: testPipelines });
    const tenantId = await q.makeTenant();
    const seen: unknown[] = [];
    const items = Array.from({ length: 5 }, () => ({
      definitionKey: 'beta',
      prepare: (definition: DefinitionRow) => {
        seen.push(definition.arg_schema['title']);
        return { definitionKey: 'beta', payload: {} };
      },
    }));
    await producer.enqueueManyChecked(tenantId, items);
    await q.superuser.query(
      `update millrace.job_definitions set arg_schema = '{"title": "new"}' where key = 'beta'`,
    );
    seen.length = 0;
    const results = await producer.enqueueManyChecked(tenantId, items);
    expect(results.map(({ kind }) => kind)).toEqual(Array(5).fill('created'));
    expect(seen).toEqual([...Array(5).fill(undefined), ...Array(5).fill('new')]);
    expect(await countOf(tenantId)).toBe(10);
  });

  test('of a tenant that is not there is refused as a whole', async () => {
    await expect(q.queue.enqueueMany('01900000-0000-7000-8000-000000000000', [one])).rejects.toMatchObject({
      code: 'UnknownTenant',
    });
    expect(await q.queue.enqueueMany(await q.makeTenant(), [])).toEqual([]);
  });
});

describe('new fields of a job', () => {
  test('are written: expiry and timeout', async () => {
    const tenantId = await q.makeTenant();
    const expiresAt = new Date(Date.now() + 60_000);
    const [result] = await q.queue.enqueue(tenantId, [{ ...one, expiresAt, timeoutSeconds: 5 }]);
    expect(await q.job(result?.id ?? '')).toMatchObject({ expires_at: expiresAt, timeout_seconds: 5 });
  });

  test('a dedupe window finds a job that has ended, until the window is over; a retry does not prolong it', async () => {
    const tenantId = await q.makeTenant();
    const input = { ...one, dedupeKey: 'w', priority: 0, dedupeWindowSeconds: 600 };
    const [first] = await q.queue.enqueue(tenantId, [input]);
    const claimed = (await q.claim(50)).find(({ job }) => job.id === first?.id);
    if (claimed === undefined) throw new Error('not claimed');
    await q.queue.finish(claimed, succeeded(), measured());
    expect(await q.queue.enqueue(tenantId, [input])).toEqual([{ id: first?.id, kind: 'existing' }]);
    expect(await q.queue.enqueueMany(tenantId, [input, input])).toMatchObject([
      { id: first?.id },
      { id: first?.id },
    ]);
    await q.superuser.query(`alter table millrace.jobs disable trigger jobs_legal_move`);
    await q.superuser.query(
      `update millrace.jobs set queued_at = now() - interval '601 seconds' where id = $1`,
      [first?.id],
    );
    await q.superuser.query(`alter table millrace.jobs enable trigger jobs_legal_move`);
    expect(await q.queue.enqueue(tenantId, [input])).toMatchObject([{ kind: 'created' }]);
  });

  test('a parent that ended badly ends the new job at once, as its policy says', async () => {
    const tenantId = await q.makeTenant();
    const [parent] = await q.queue.enqueue(tenantId, [one]);
    await q.queue.cancel(tenantId, parent?.id ?? '', 'user:ann', null);
    const results = await q.queue.enqueue(tenantId, [
      { ...one, dependsOn: [{ jobId: parent?.id ?? '', policy: 'cancel' }] },
      { ...one, dependsOn: [{ jobId: parent?.id ?? '', policy: 'run' }] },
    ]);
    const rows = await Promise.all(results.map(({ id }) => q.job(id)));
    expect(rows).toMatchObject([{ status: 'canceled', reason: 'parent_failed' }, { status: 'queued' }]);
  });

  test.each([
    ['expiresAt', { expiresAt: new Date(Number.NaN) }],
    ['expiresAt', { expiresAt: new Date('2300-01-01') }],
    ['expiresAt', { scheduledFor: new Date('2100-01-02'), expiresAt: new Date('2100-01-01') }],
    ['expiresAt', { expiresAt: new Date('2001-01-01') }],
    ['scheduledFor', { scheduledFor: new Date(-1) }],
    ['timeoutSeconds', { timeoutSeconds: 0 }],
    ['timeoutSeconds', { timeoutSeconds: 604_801 }],
    ['timeoutSeconds', { timeoutSeconds: Number.NaN }],
    ['dedupeWindowSeconds', { dedupeWindowSeconds: 60 }],
    ['dedupeWindowSeconds', { dedupeKey: 'a', dedupeWindowSeconds: 31_536_001 }],
    ['dedupeKey', { dedupeKey: '\u{1f600}'.repeat(512) + '\u00e4'.repeat(512) }],
    ['dependsOn[0].jobId', { dependsOn: [{ jobId: 'no' }] }],
    ['dependsOn', { dependsOn: 5 as never }],
    ['subject.id', { subject: { type: 'order' } as never }],
    ['source', { source: 'elsewhere' as never }],
    ['createdBy', { createdBy: 'user:\0' }],
  ])('refuses a bad %s by name and says what is allowed', async (field, bad) => {
    const tenantId = await q.makeTenant();
    await expect(q.queue.enqueue(tenantId, [{ ...one, ...bad }])).rejects.toMatchObject({
      code: 'InvalidArgument',
      details: { field, allowed: expect.stringMatching(/./) },
    });
    expect(await countOf(tenantId)).toBe(0);
  });
});
