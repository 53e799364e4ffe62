import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WORK_CHANNEL } from '../../src/db/channels.ts';
import { createNotifier } from '../../src/db/notifier.ts';
import { PostgresProducerQueue } from '../../src/queue/producer-verbs.ts';
import { testPipelines } from '../support/pipelines.ts';
import { openTestQueue, silentLog, type TestQueue } from '../support/queue.ts';

let q: TestQueue;
let producer: PostgresProducerQueue;
let tenantId: string;
beforeAll(async () => {
  q = await openTestQueue();
  producer = new PostgresProducerQueue(q.db, q.notifier, { pipelines: testPipelines });
  tenantId = await q.makeTenant();
});
beforeEach(() => q.clear());
afterAll(() => q.close());

const HOUR_MS = 3_600_000;

async function queued(scheduledFor: Date | null = null): Promise<string> {
  const [result] = await q.queue.enqueue(tenantId, [{ definitionKey: 'alpha', payload: {}, scheduledFor }]);
  return result?.id ?? '';
}

const update = (jobId: string, change: { priority?: number; scheduledFor?: Date }) =>
  producer.update({ tenantId, jobId, by: 'user:ann', priority: null, scheduledFor: null, ...change });

describe('update of a queued job', () => {
  test('changes priority and time, stamps the row for the feed, and records old and new', async () => {
    const id = await queued(new Date(Date.now() + HOUR_MS));
    const before = await q.job(id);
    const later = new Date(Date.now() + 2 * HOUR_MS);
    expect(await update(id, { priority: 5, scheduledFor: later })).toEqual({ kind: 'updated' });
    const after = await q.job(id);
    expect(after).toMatchObject({ priority: 5, scheduled_for: later, version: '2', requested_for: null });
    expect(after['changed_xid']).not.toBe(before['changed_xid']);
    const { rows } = await q.superuser.query('select * from millrace.audit_log where target_id = $1', [id]);
    expect(rows).toMatchObject([
      {
        actor: 'user:ann',
        action: 'job.update',
        details: {
          old: { priority: 100 },
          new: { priority: 5, scheduledFor: later.toISOString() },
        },
      },
    ]);
  });

  test('takes a past time as now and keeps the one that was asked for', async () => {
    const id = await queued(new Date(Date.now() + HOUR_MS));
    const asked = new Date(Date.now() - HOUR_MS);
    const { rows } = await q.superuser.query('select clock_timestamp() as now');
    await update(id, { scheduledFor: asked });
    const job = await q.job(id);
    expect(job['requested_for']).toEqual(asked);
    expect((job['scheduled_for'] as Date).getTime()).toBeGreaterThanOrEqual(rows[0].now.getTime());
    expect((await q.claim(100)).map((item) => item.job.id)).toContain(id);
  });

  test('moves a waiting job to another priority with a new time, so that no worker has already looked past it', async () => {
    const id = await queued();
    const { rows } = await q.superuser.query('select clock_timestamp() as now');
    await update(id, { priority: 1 });
    const job = await q.job(id);
    expect((job['scheduled_for'] as Date).getTime()).toBeGreaterThanOrEqual(rows[0].now.getTime());
    const version = job['version'];
    await update(id, { priority: 1 });
    expect((await q.job(id))['version']).toBe(version);
  });

  test('wakes workers', async () => {
    // By a foreign writer, whose notification is sent at its commit: nothing of it is still on its way.
    const { rows } = await q.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id, scheduled_for) values ($1, $2, now() + interval '1 hour') returning id`,
      [tenantId, q.definitionId('beta')],
    );
    const own = createNotifier({ connectionString: q.url, log: silentLog });
    const heard: string[] = [];
    q.superuser.on('notification', ({ channel }) => heard.push(channel));
    await q.superuser.query(`listen ${WORK_CHANNEL}`);
    const mine = new PostgresProducerQueue(q.db, own, { pipelines: testPipelines });
    await mine.update({
      tenantId,
      jobId: rows[0].id,
      by: 'user:ann',
      priority: null,
      scheduledFor: new Date(),
    });
    await own.close();
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    await q.superuser.query(`unlisten ${WORK_CHANNEL}`);
  });

  test('refuses any other status, naming it, and a job that is not there', async () => {
    const id = await queued();
    const [claimed] = (await q.claim(100)).filter((item) => item.job.id === id);
    expect(claimed).toBeDefined();
    expect(await update(id, { priority: 1 })).toEqual({ kind: 'wrongState', status: 'running' });
    const canceled = await queued();
    await q.queue.cancel(tenantId, canceled, 'user:ann', null);
    expect(await update(canceled, { priority: 1 })).toEqual({ kind: 'wrongState', status: 'canceled' });
    expect(await update('01900000-0000-7000-8000-000000000000', { priority: 1 })).toEqual({
      kind: 'notFound',
    });
    const foreign = { tenantId: await q.makeTenant(), jobId: id, by: 'user:eve', priority: 1 };
    expect(await producer.update({ ...foreign, scheduledFor: null })).toEqual({ kind: 'notFound' });
  });

  test('comes before or after a claim, never into it', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, () => queued()));
    const future = new Date(Date.now() + HOUR_MS);
    const claimed = new Set<string>();
    const claiming = (async () => {
      for (;;) {
        const items = await q.claim(9);
        if (items.length === 0) return;
        for (const item of items) claimed.add(item.job.id);
      }
    })();
    const results = await Promise.all(ids.map((id) => update(id, { scheduledFor: future })));
    await claiming;
    results.forEach((result, index) => {
      const wasClaimed = claimed.has(ids[index] as string);
      expect(result).toEqual(wasClaimed ? { kind: 'wrongState', status: 'running' } : { kind: 'updated' });
    });
  });
});
