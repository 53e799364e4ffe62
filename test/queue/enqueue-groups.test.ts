import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WATCH_CHANNEL, WORK_CHANNEL } from '../../src/db/channels.ts';
import { InsertGroups } from '../../src/queue/insert-groups.ts';
import type { NewJob, Outcome } from '../../src/queue/new-jobs.ts';
import { testPipelines } from '../support/pipelines.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';

let q: TestQueue;
let others: pg.Pool;
beforeAll(async () => {
  q = await openTestQueue();
  others = new pg.Pool({ connectionString: q.url, max: 5 });
  // The database is dropped at the end, perhaps before the last of them has said goodbye.
  others.on('error', () => undefined);
});
afterAll(async () => {
  await others.end();
  await q.close();
});

const one = { definitionKey: 'alpha', payload: {} };

const INSERTS = ['insert_one_job', 'insert_uniform_batch', 'insert_plain_jobs'];

/** How many INSERTs the calls of `work` made. */
async function insertsOf(work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(q.db, 'asWorker');
  try {
    await work();
    return spy.mock.calls.filter(([{ name }]) => INSERTS.includes(name)).length;
  } finally {
    spy.mockRestore();
  }
}

function job(tenantId: string, definitionKey: string, payloadJson = '{}'): NewJob {
  return { tenantId, input: { definitionKey, payload: {} }, payloadJson, revision: null, start: null };
}

describe('single enqueues that are made at the same time', () => {
  test('share INSERTs, of several tenants too, and each gets its own job', async () => {
    const tenants = await Promise.all(Array.from({ length: 4 }, () => q.makeTenant()));
    const calls = Array.from({ length: 100 }, (_, n) => ({ tenantId: tenants[n % 4] as string, n }));
    const results: { id: string; tenantId: string; n: number }[] = [];
    const inserts = await insertsOf(() =>
      Promise.all(
        calls.map(async ({ tenantId, n }) => {
          const [result] = await q.queue.enqueue(tenantId, [{ ...one, payload: { n } }]);
          // Resolved: committed, for every other connection to see.
          const { rows } = await others.query('select * from millrace.jobs where id = $1', [result?.id]);
          expect(rows[0]).toMatchObject({ tenant_id: tenantId, payload: { n } });
          results.push({ id: result?.id ?? '', tenantId, n });
        }),
      ),
    );
    expect(inserts).toBeLessThanOrEqual(10);
    expect(new Set(results.map(({ id }) => id)).size).toBe(100);
  });

  test('fail by themselves: an unknown definition or tenant reaches its own caller only', async () => {
    const tenantId = await q.makeTenant();
    const gone = await q.makeTenant();
    await q.superuser.query('update millrace.tenants set deleted_at = now() where id = $1', [gone]);
    const nobody = '01900000-0000-7000-8000-000000000000';
    const settled = await Promise.allSettled([
      q.queue.enqueue(tenantId, [one]),
      q.queue.enqueue(tenantId, [{ ...one, definitionKey: 'nobody' }]),
      q.queue.enqueue(nobody, [one]),
      q.queue.enqueue(gone, [one]),
      q.queue.enqueue(tenantId, [{ ...one, expiresAt: new Date(Date.now() - 60_000) }]),
      q.queue.enqueue(tenantId, [one]),
    ]);
    expect(
      settled.map((result) => (result.status === 'fulfilled' ? 'fulfilled' : result.reason.code)),
    ).toEqual([
      'fulfilled',
      'UnknownDefinition',
      'UnknownTenant',
      'UnknownTenant',
      'InvalidArgument',
      'fulfilled',
    ]);
  });

  test('are tried one by one when the database refuses a row of the group', async () => {
    const tenantId = await q.makeTenant();
    const groups = new InsertGroups(q.db, q.notifier);
    const settled = await Promise.allSettled<Outcome>([
      groups.insert(job(tenantId, 'alpha')),
      // What no checked payload is.
      groups.insert(job(tenantId, 'alpha', '{"a": ')),
      groups.insert(job(tenantId, 'alpha')),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const { rows } = await q.superuser.query(
      'select count(*)::int as n from millrace.jobs where tenant_id = $1',
      [tenantId],
    );
    expect(rows[0].n).toBe(2);
  });

  test('are not tried again when the connection was lost: they may have been written', async () => {
    const lost = Object.assign(new Error('Connection terminated unexpectedly'), { code: '57P01' });
    const asWorker = vi.fn(async () => Promise.reject(lost));
    const groups = new InsertGroups({ asWorker } as never, q.notifier);
    const settled = await Promise.allSettled([
      groups.insert(job('t', 'alpha')),
      groups.insert(job('t', 'alpha')),
    ]);
    expect(settled.every((result) => result.status === 'rejected' && result.reason === lost)).toBe(true);
    expect(asWorker).toHaveBeenCalledTimes(1);
  });

  test('go out at once when nothing is under way, and leave out what may have to wait for a lock', async () => {
    const tenantId = await q.makeTenant();
    const [parent] = await q.queue.enqueue(tenantId, [one]);
    expect(await insertsOf(() => q.queue.enqueue(tenantId, [one]))).toBe(1);
    const alone = () =>
      Promise.all([
        q.queue.enqueue(tenantId, [{ ...one, dedupeKey: 'a' }]),
        q.queue.enqueue(tenantId, [{ ...one, dependsOn: [{ jobId: parent?.id ?? '' }] }]),
      ]);
    expect(await insertsOf(alone)).toBe(0);
  });
});

describe('a payload that is checked by a remembered definition', () => {
  test('is checked again when the definition has changed, whatever changed it', async () => {
    const { PostgresProducerQueue } = await import('../../src/queue/producer-verbs.ts');
    const queue = new PostgresProducerQueue(q.db, q.notifier, { pipelines: testPipelines });
    const tenantId = await q.makeTenant();
    const seen: unknown[] = [];
    const enqueue = () =>
      queue.enqueueChecked(tenantId, 'beta', (definition) => {
        seen.push(definition.arg_schema['title']);
        return { definitionKey: 'beta', payload: {} };
      });
    await enqueue();
    await q.superuser.query(
      `update millrace.job_definitions set arg_schema = '{"title": "new"}' where key = 'beta'`,
    );
    await enqueue();
    expect(seen).toEqual([undefined, undefined, 'new']);
    seen.length = 0;
    expect(await insertsOf(enqueue)).toBe(1);
    expect(seen).toEqual(['new']);
    await q.superuser.query(`update millrace.job_definitions set is_active = false where key = 'beta'`);
    await expect(enqueue()).rejects.toMatchObject({ code: 'DefinitionInactive' });
    await q.superuser.query(`update millrace.job_definitions set is_active = true where key = 'beta'`);
    expect((await enqueue()).kind).toBe('created');
  });
});

describe('the notification of a single enqueue', () => {
  test('goes with its commit on a quiet platform, so that a producer who dies right after it is heard', async () => {
    const tenantId = await q.makeTenant();
    const heard: string[] = [];
    const ear = new pg.Client({ connectionString: q.url });
    await ear.connect();
    ear.on('notification', ({ channel }) => heard.push(channel));
    for (const channel of [WORK_CHANNEL, WATCH_CHANNEL]) await ear.query(`listen ${channel}`);
    // One that never sends: what is heard was sent by the transaction.
    const dead = { takeTurn: () => true, notify: vi.fn(), close: async () => {}, sentCount: 0, lostCount: 0 };
    const { PostgresProducerQueue } = await import('../../src/queue/producer-verbs.ts');
    const queue = new PostgresProducerQueue(q.db, dead, { pipelines: testPipelines });
    try {
      await queue.enqueue(tenantId, [one]);
      await waitFor(() => heard.length === 2, { describe: 'both channels to be heard' });
      expect(new Set(heard)).toEqual(new Set([WORK_CHANNEL, WATCH_CHANNEL]));
      expect(dead.notify).not.toHaveBeenCalled();
      // Nothing was made: nothing is notified, and the answer is its own error.
      await expect(
        queue.enqueue(tenantId, [{ ...one, definitionKey: 'nobody_knows' }]),
      ).rejects.toMatchObject({
        code: 'UnknownDefinition',
      });
      await ear.query('select 1');
      expect(heard).toHaveLength(2);
      dead.takeTurn = () => false;
      await queue.enqueue(tenantId, [one]);
      expect(dead.notify.mock.calls.flat()).toEqual([WORK_CHANNEL, WATCH_CHANNEL]);
    } finally {
      await ear.end();
    }
  });
});
