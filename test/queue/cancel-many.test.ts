import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BatchCounts } from '../../src/core/bulk.ts';
import type { ClaimedJob } from '../../src/core/queue.ts';
import { CANCEL_CHANNEL } from '../../src/db/channels.ts';
import { PostgresProducerQueue } from '../../src/queue/producer-verbs.ts';
import { testPipelines } from '../support/pipelines.ts';
import { jobError, measured, openTestQueue, succeeded, type TestQueue } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';

let q: TestQueue;
let producer: PostgresProducerQueue;
beforeAll(async () => {
  q = await openTestQueue(undefined, 12);
  producer = new PostgresProducerQueue(q.db, q.notifier, { pipelines: testPipelines });
});
afterAll(() => q.close());
// A claim takes whatever waits in any tenant.
beforeEach(() => q.clear());

const spent = (counts: BatchCounts) =>
  counts.changedCount + counts.requestedCount + Object.values(counts.skipped).reduce((sum, n) => sum + n, 0);

async function enqueue(tenantId: string, count: number): Promise<string[]> {
  const inputs = Array.from({ length: count }, () => ({ definitionKey: 'alpha', payload: {} }));
  return (await q.queue.enqueue(tenantId, inputs)).map((result) => result.id);
}

function cancelAll(tenantId: string, ids: readonly string[], reason: string | null = null) {
  const jobs = { tenantId, ids, statuses: null, by: 'user:ann', filter: { note: 'test' } };
  return producer.cancelMany(jobs, reason);
}

async function audited(tenantId: string) {
  const { rows } = await q.superuser.query(
    'select actor, action, target_id, details from millrace.audit_log where tenant_id = $1 order by id',
    [tenantId],
  );
  return rows;
}

async function statuses(tenantId: string): Promise<Record<string, number>> {
  const { rows } = await q.superuser.query(
    'select status, count(*)::int as n from millrace.jobs where tenant_id = $1 group by 1',
    [tenantId],
  );
  return Object.fromEntries(rows.map((row) => [row.status, row.n]));
}

describe('cancelMany', () => {
  test('cancels queued jobs, asks running ones, and counts what it left as it is', async () => {
    const tenantId = await q.makeTenant();
    const [ended] = await enqueue(tenantId, 1);
    const [done] = await q.claim(1);
    await q.queue.finish(done as ClaimedJob, succeeded(), measured());
    const [running, again, queued] = await enqueue(tenantId, 3);
    await q.claim(2, 'worker-b');
    await q.queue.cancel(tenantId, again as string, 'user:ann', null);
    const ids = [ended, running, again, queued, '01900000-0000-7000-8000-000000000000'] as string[];
    const counts = await cancelAll(tenantId, ids, 'no longer needed');
    expect(counts).toEqual({
      changedCount: 1,
      requestedCount: 1,
      skipped: { ended: 1, asked_before: 1, gone: 1 },
    });
    expect(await q.job(queued as string)).toMatchObject({ status: 'canceled', reason: 'no longer needed' });
    const held = await q.job(running as string);
    expect(held).toMatchObject({ status: 'running', reason: 'no longer needed' });
    expect(held['cancel_requested_at']).not.toBeNull();
  });

  test('records each batch with actor, filter and counts, names few jobs, and nothing when nothing changed', async () => {
    const tenantId = await q.makeTenant();
    const few = await enqueue(tenantId, 2);
    await cancelAll(tenantId, few);
    await cancelAll(tenantId, few);
    await cancelAll(tenantId, await enqueue(tenantId, 1_001));
    const entries = await audited(tenantId);
    expect(entries.map((entry) => [entry.actor, entry.action, entry.details.changedCount])).toEqual([
      ['user:ann', 'jobs.cancel', 2],
      ['user:ann', 'jobs.cancel', 500],
      ['user:ann', 'jobs.cancel', 500],
      ['user:ann', 'jobs.cancel', 1],
    ]);
    expect(entries[0].details).toMatchObject({
      filter: { note: 'test' },
      reason: 'canceled by user:ann',
      jobIds: [...few].sort(),
    });
    expect(entries[1].details).not.toHaveProperty('jobIds');
  });

  test('leaves a job alone whose status is no longer one that was asked for', async () => {
    const tenantId = await q.makeTenant();
    const ids = await enqueue(tenantId, 2);
    await q.claim(1);
    const jobs = { tenantId, ids, statuses: ['queued'] as const, by: 'user:ann', filter: {} };
    expect(await producer.cancelMany(jobs, null)).toEqual({
      changedCount: 1,
      requestedCount: 0,
      skipped: { changed: 1 },
    });
  });

  test("changes nothing of another tenant's jobs", async () => {
    const ids = await enqueue(await q.makeTenant(), 2);
    const stranger = await q.makeTenant();
    expect(await cancelAll(stranger, ids)).toMatchObject({ changedCount: 0, skipped: { gone: 2 } });
    expect(await audited(stranger)).toEqual([]);
    for (const id of ids) expect(await q.job(id)).toMatchObject({ status: 'queued' });
  });

  test('goes on without the jobs that an open transaction holds, within seconds', async () => {
    const tenantId = await q.makeTenant();
    const ids = await enqueue(tenantId, 5);
    await q.superuser.query('begin');
    await q.superuser.query('select 1 from millrace.jobs where id = $1 for update', [ids[2]]);
    const counts = await cancelAll(tenantId, ids);
    await q.superuser.query('rollback');
    expect(counts).toEqual({ changedCount: 4, requestedCount: 0, skipped: { busy: 1 } });
    expect(await statuses(tenantId)).toEqual({ canceled: 4, queued: 1 });
  });

  test('notifies each worker that runs one of them', async () => {
    const tenantId = await q.makeTenant();
    const heard: string[] = [];
    q.superuser.on('notification', ({ payload }) => heard.push(payload ?? ''));
    await q.superuser.query(`listen ${CANCEL_CHANNEL}`);
    const ids = await enqueue(tenantId, 4);
    for (const workerId of ['w1', 'w1', 'w2']) await q.claim(1, workerId);
    await cancelAll(tenantId, ids);
    await waitFor(() => heard.length >= 2, { describe: 'both workers to be notified' });
    expect(heard.sort()).toEqual(['w1', 'w2']);
    await q.superuser.query(`unlisten ${CANCEL_CHANNEL}`);
  });

  test('ends every job once while four workers claim the same ones, and its counts add up', async () => {
    const tenantId = await q.makeTenant();
    const ids = await enqueue(tenantId, 600);
    let ran = 0;
    let stopped = 0;
    const work = async (workerId: string) => {
      for (;;) {
        const claimed = await q.claim(7, workerId);
        if (claimed.length === 0) return;
        for (const item of claimed) {
          const [asked] = (await q.queue.heartbeat([item.lease], [30])).cancelRequested;
          const ending =
            asked === undefined
              ? succeeded()
              : ({ kind: 'final', settlement: { status: 'canceled', reason: 'asked' } } as const);
          expect(await q.queue.finish(item, ending, measured())).toBe('settled');
          if (asked === undefined) ran++;
          else stopped++;
        }
      }
    };
    const workers = ['w1', 'w2', 'w3', 'w4'].map(work);
    // Some are under way, most are still in the queue.
    await waitFor(() => ran > 20, { describe: 'the first jobs to run' });
    const counts = await cancelAll(tenantId, ids);
    await Promise.all(workers);
    const now = await statuses(tenantId);
    expect(spent(counts)).toBe(600);
    expect(now).toEqual({ succeeded: ran, canceled: counts.changedCount + stopped });
    expect(stopped).toBeLessThanOrEqual(counts.requestedCount);
    expect(counts.changedCount).toBeGreaterThan(0);
    const { rows } = await q.superuser.query(
      'select max(run_no) as runs, sum(run_no)::int as n from millrace.jobs where tenant_id = $1',
      [tenantId],
    );
    expect(rows[0]).toEqual({ runs: 1, n: ran + stopped });
  });
});

describe('one verb on one job', () => {
  test('gives up after two seconds when an open transaction holds the job, with nothing done', async () => {
    const tenantId = await q.makeTenant();
    const [id = ''] = await enqueue(tenantId, 1);
    await q.superuser.query('begin');
    await q.superuser.query('select 1 from millrace.jobs where id = $1 for update', [id]);
    const results = await Promise.all([
      q.queue.cancel(tenantId, id, 'user:ann', null),
      q.queue.retry(tenantId, id, 'user:ann'),
      producer.update({ tenantId, jobId: id, by: 'user:ann', priority: 1, scheduledFor: null }),
    ]);
    await q.superuser.query('rollback');
    expect(results).toEqual([{ kind: 'busy' }, { kind: 'busy' }, { kind: 'busy' }]);
    expect(await q.job(id)).toMatchObject({ status: 'queued', priority: 100, version: '1' });
    expect(await audited(tenantId)).toEqual([]);
  });

  test('is recorded with the actor when it changed something, and not when it was refused', async () => {
    const tenantId = await q.makeTenant();
    const [id = ''] = await enqueue(tenantId, 1);
    const [claimed] = await q.claim(1);
    await q.queue.cancel(tenantId, id, 'user:ann', 'why');
    await q.queue.cancel(tenantId, id, 'user:bob', 'again');
    await q.queue.retry(tenantId, id, 'user:ann');
    const failed = { kind: 'final', settlement: { status: 'failed', error: jobError() } } as const;
    await q.queue.finish(claimed as ClaimedJob, failed, measured());
    await q.queue.cancel(tenantId, id, 'user:ann', null);
    await q.queue.retry(tenantId, id, 'key:1');
    expect(await audited(tenantId)).toEqual([
      {
        actor: 'user:ann',
        action: 'job.cancel',
        target_id: id,
        details: { outcome: 'requested', reason: 'why' },
      },
      { actor: 'key:1', action: 'job.retry', target_id: id, details: { was: 'failed' } },
    ]);
  });
});
