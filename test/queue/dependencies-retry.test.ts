import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ClaimedJob, Dependency, DependencyPolicy } from '../../src/core/queue.ts';
import { countStuckDependents } from '../../src/db/sql/maintenance/count-stuck-dependents.ts';
import { repairDependents } from '../../src/queue/dependencies-repair.ts';
import { finishPendingCancels } from '../../src/queue/pending-cancel-finisher.ts';
import { testPipelines } from '../support/pipelines.ts';
import { jobError, measured, openTestQueue, succeeded, type TestQueue } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';

let q: TestQueue;
let tenantId: string;
beforeAll(async () => {
  q = await openTestQueue();
});
beforeEach(async () => {
  await q.clear();
  tenantId = await q.makeTenant();
});
afterAll(() => q.close());

const failed = { kind: 'final', settlement: { status: 'failed', error: jobError() } } as const;
const on = (jobId: string, policy: DependencyPolicy = 'cancel'): Dependency => ({ jobId, policy });

async function enqueue(
  dependsOn: readonly Dependency[] = [],
  dedupeKey: string | null = null,
): Promise<string> {
  const input = { definitionKey: 'alpha', payload: {}, dependsOn, dedupeKey };
  const [result] = await q.queue.enqueue(tenantId, [input]);
  return result?.id ?? '';
}

async function claimOne(id: string): Promise<ClaimedJob> {
  const claimed = (await q.claim(500)).find(({ job }) => job.id === id);
  if (claimed === undefined) throw new Error(`job ${id} cannot be claimed`);
  return claimed;
}

async function run(id: string, finish: Parameters<typeof q.queue.finish>[1] = succeeded()): Promise<void> {
  expect(await q.queue.finish(await claimOne(id), finish, measured())).toBe('settled');
}

const inStatus = (ids: readonly string[], status: string) =>
  waitFor(
    async () => {
      const { rows } = await q.superuser.query(
        'select count(*)::int from millrace.jobs where id = any ($1::uuid[]) and status = $2',
        [ids, status],
      );
      return rows[0].count === ids.length;
    },
    { describe: `${ids.length} jobs to be ${status}` },
  );

const retry = async (id: string) => (await q.queue.retry(tenantId, id)).kind;

/** A chain: each waits for the one before. By SQL, since hundreds of enqueues take their time. */
async function chain(length: number): Promise<readonly string[]> {
  const { rows } = await q.superuser.query(
    `with made as (
       insert into millrace.jobs (tenant_id, definition_id, pending_dependencies)
       select $1, $2, 1 from generate_series(1, $3::integer) returning id
     ), edges as (
       insert into millrace.job_dependencies (job_id, depends_on_id, tenant_id)
       select id, before, $1 from (select id, lag(id) over (order by id) as before from made) m where before is not null
     )
     select m.id from made m order by m.id`,
    [tenantId, q.definitionId('alpha'), length],
  );
  const ids = rows.map(({ id }) => id as string);
  await q.superuser.query(
    'update millrace.jobs set pending_dependencies = case id when $1 then 0 else 1 end where id = any ($2::uuid[])',
    [ids[0], ids],
  );
  return ids;
}

describe('an operator’s retry of a parent', () => {
  test('brings back what its end had canceled or skipped, and what that had canceled in turn', async () => {
    const parent = await enqueue();
    const child = await enqueue([on(parent)]);
    const skipped = await enqueue([on(parent, 'skip')]);
    const grandchild = await enqueue([on(child)]);
    await run(parent, failed);
    await inStatus([child, skipped, grandchild], 'canceled');
    expect(await retry(parent)).toBe('queued');
    for (const id of [child, skipped, grandchild])
      expect(await q.job(id)).toMatchObject({
        status: 'queued',
        pending_dependencies: 1,
        reason: null,
        cancel_requested_at: null,
        finished_at: null,
      });
    await run(parent);
    expect((await q.claim(500)).map(({ job }) => job.id).toSorted()).toEqual([child, skipped].toSorted());
  });

  test('leaves what an operator canceled, and what another parent stands against', async () => {
    const [parent, other] = [await enqueue(), await enqueue()];
    const byHand = await enqueue([on(parent)]);
    const twice = await enqueue([on(parent), on(other)]);
    await q.queue.cancel(tenantId, byHand, 'user:ann', null);
    await q.queue.cancel(tenantId, other, 'user:ann', null);
    await run(parent, failed);
    await inStatus([twice], 'canceled');
    await retry(parent);
    expect(await q.job(byHand)).toMatchObject({ status: 'canceled', reason: 'canceled by user:ann' });
    expect(await q.job(twice)).toMatchObject({ status: 'canceled', reason: 'parent_failed' });
    await retry(other);
    expect(await q.job(twice)).toMatchObject({ status: 'queued', pending_dependencies: 2 });
  });

  test('is waited for again by a child that still waits for another parent', async () => {
    const [parent, other] = [await enqueue(), await enqueue()];
    const child = await enqueue([on(parent, 'run'), on(other)]);
    await run(parent, failed);
    expect(await q.job(child)).toMatchObject({ pending_dependencies: 1 });
    await retry(parent);
    expect(await q.job(child)).toMatchObject({ pending_dependencies: 2 });
  });

  test('succeeds although a child’s dedupe key is active again; that child stays canceled', async () => {
    const parent = await enqueue();
    const [keyed, plain] = [await enqueue([on(parent)], 'key'), await enqueue([on(parent)])];
    await run(parent, failed);
    await inStatus([keyed, plain], 'canceled');
    await enqueue([], 'key');
    expect(await retry(parent)).toBe('queued');
    expect(await q.job(keyed)).toMatchObject({ status: 'canceled' });
    expect(await q.job(plain)).toMatchObject({ status: 'queued' });
  });

  test('brings back a chain of 300', async () => {
    const ids = await chain(300);
    await q.queue.cancel(tenantId, ids[0] as string, 'user:ann', null);
    await inStatus(ids, 'canceled');
    expect(await retry(ids[0] as string)).toBe('queued');
    await inStatus(ids, 'queued');
    expect(await q.job(ids[299] as string)).toMatchObject({ pending_dependencies: 1, reason: null });
  });
});

describe('an operator’s retry of a child', () => {
  test('runs it although its parent failed, and another parent’s success does not hold that against it', async () => {
    const [parent, other] = [await enqueue(), await enqueue()];
    const child = await enqueue([on(parent), on(other)]);
    await q.queue.cancel(tenantId, parent, 'user:ann', null);
    await inStatus([child], 'canceled');
    expect(await retry(child)).toBe('queued');
    expect(await q.job(child)).toMatchObject({ pending_dependencies: 1 });
    await run(other);
    expect(await q.job(child)).toMatchObject({ status: 'queued', pending_dependencies: 0 });
    await run(child);
  });

  test('does not wait for a parent that ended while it was canceled', async () => {
    const parent = await enqueue();
    const child = await enqueue([on(parent)]);
    await q.queue.cancel(tenantId, child, 'user:ann', null);
    await run(parent);
    await retry(child);
    expect(await q.job(child)).toMatchObject({ status: 'queued', pending_dependencies: 0 });
  });
});

describe('doomed jobs', () => {
  /** As a process leaves it that dies right after the commit that doomed them. */
  async function cancelBySql(parent: string): Promise<void> {
    await q.superuser.query(
      `with moved as (update millrace.jobs set status = 'canceled', finished_at = now() where id = $1 returning id) select from moved`,
      [parent],
    );
    await q.superuser.query('select millrace.release_dependents(array[$1::uuid])', [parent]);
  }

  test('are ended by the sweep when their process died, also where the definition is paused', async () => {
    const parent = await enqueue();
    const child = await enqueue([on(parent)]);
    const last = await enqueue([on(child)]);
    await cancelBySql(parent);
    expect(await q.job(child)).toMatchObject({
      status: 'queued',
      reason: 'parent_failed',
      pending_dependencies: 0,
    });
    await q.superuser.query(`update millrace.job_definitions set paused_at = now() where key = 'alpha'`);
    try {
      expect(await q.claim(10)).toEqual([]);
      expect(await finishPendingCancels(q.db, q.notifier, testPipelines, 100)).toBe(2);
    } finally {
      await q.superuser.query(`update millrace.job_definitions set paused_at = null where key = 'alpha'`);
    }
    for (const id of [child, last])
      expect(await q.job(id)).toMatchObject({ status: 'canceled', reason: 'parent_failed', run_no: 0 });
  });

  test('are left by the sweep to the worker that has claimed them', async () => {
    const parent = await enqueue();
    const child = await enqueue([on(parent)]);
    await cancelBySql(parent);
    const claimed = await claimOne(child);
    expect(claimed.job.cancelRequestedAt).not.toBeNull();
    expect(await finishPendingCancels(q.db, q.notifier, testPipelines, 100)).toBe(0);
    const finish = { kind: 'final', settlement: { status: 'canceled', reason: 'parent_failed' } } as const;
    await q.queue.finish(claimed, finish, { startedAtMs: null, wallMs: 0, cpuMs: null });
    expect(await q.job(child)).toMatchObject({ status: 'canceled', reason: 'parent_failed' });
  });

  test('are ended by a limited number in one transaction; the next call goes on where it stopped', async () => {
    const ids = await chain(10);
    await cancelBySql(ids[0] as string);
    expect(await finishPendingCancels(q.db, q.notifier, testPipelines, 4)).toBe(4);
    expect(await q.job(ids[5] as string)).toMatchObject({ status: 'queued', reason: 'parent_failed' });
    expect(await q.job(ids[6] as string)).toMatchObject({ status: 'queued', reason: null });
    expect(await finishPendingCancels(q.db, q.notifier, testPipelines, 4)).toBe(4);
    expect(await finishPendingCancels(q.db, q.notifier, testPipelines, 4)).toBe(1);
    await inStatus(ids, 'canceled');
  });

  test('of a fan-out of 1,000 all end, and 1,000 that may run become ready, with one parent', async () => {
    const parent = await enqueue();
    const children = async (policy: DependencyPolicy) =>
      (
        await q.queue.enqueue(
          tenantId,
          Array.from({ length: 1_000 }, () => ({
            definitionKey: 'alpha',
            payload: {},
            dependsOn: [on(parent, policy)],
          })),
        )
      ).map(({ id }) => id);
    const [canceled, runs] = [await children('cancel'), await children('run')];
    await run(parent, failed);
    await inStatus(canceled, 'canceled');
    const { rows } = await q.superuser.query(
      'select count(*)::int from millrace.jobs where id = any ($1::uuid[]) and pending_dependencies = 0',
      [runs],
    );
    expect(rows[0].count).toBe(1_000);
  });
});

test('a job whose parents were all moved by hand is found by the sweep, which is to find none', async () => {
  const [parent, bad, open] = [await enqueue(), await enqueue(), await enqueue()];
  const [ready, canceled, waits] = [
    await enqueue([on(parent)]),
    await enqueue([on(bad)]),
    await enqueue([on(parent), on(open)]),
  ];
  await q.superuser.query(
    `update millrace.jobs set status = 'canceled', finished_at = now(), reason = case id when $1 then 'skipped' end
     where id = any (array[$1, $2]::uuid[])`,
    [parent, bad],
  );
  const stuck = async () =>
    (await q.db.asWorker<{ count: number }>(countStuckDependents, [100_000])).rows[0]?.count;
  expect(await stuck()).toBe(2);
  let repairedCount = 0;
  for (let after: string | null = null; ; ) {
    const repair = await repairDependents(q.db, q.notifier, testPipelines, 700, after);
    repairedCount += repair.repairedCount;
    after = repair.next;
    if (after === null) break;
  }
  expect(repairedCount).toBe(2);
  expect(await stuck()).toBe(0);
  expect(await q.job(ready)).toMatchObject({ status: 'queued', pending_dependencies: 0 });
  expect(await q.job(canceled)).toMatchObject({ status: 'canceled', reason: 'parent_failed' });
  expect(await q.job(waits)).toMatchObject({ status: 'queued', pending_dependencies: 2 });
});
