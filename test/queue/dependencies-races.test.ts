import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ClaimedJob, Dependency } from '../../src/core/queue.ts';
import { repairDependents } from '../../src/queue/dependencies-repair.ts';
import { enqueueIn } from '../../src/queue/enqueue.ts';
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

/** Of an order that a lock makes sure of, and of one that is left to chance. */
const ROUNDS = 5;
const RACES = 20;
const failed = { kind: 'final', settlement: { status: 'failed', error: jobError() } } as const;

async function enqueue(dependsOn: readonly Dependency[] = []): Promise<string> {
  const [result] = await q.queue.enqueue(tenantId, [{ definitionKey: 'alpha', payload: {}, dependsOn }]);
  return result?.id ?? '';
}

async function running(): Promise<ClaimedJob> {
  const id = await enqueue();
  const claimed = (await q.claim(500)).find(({ job }) => job.id === id);
  if (claimed === undefined) throw new Error('not claimed');
  return claimed;
}

const finish = (claimed: ClaimedJob) => q.queue.finish(claimed, succeeded(), measured());

/** Until `count` sessions of this database wait for a lock. */
const blocked = (count = 1) =>
  waitFor(
    async () => {
      const { rows } = await q.superuser.query(
        `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows[0].count >= count;
    },
    { describe: `${count} sessions that wait for a lock`, pollMs: 2 },
  );

/** Enqueues a child of the parent in a transaction that stays open until `commit` is called. */
async function enqueueHeld(parentId: string): Promise<{ readonly commit: () => Promise<string> }> {
  const inserted = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const done = q.db.transaction({ role: 'api', tenantId }, async (tx) => {
    const [result] = await enqueueIn(tx, tenantId, [
      { definitionKey: 'alpha', payload: {}, dependsOn: [{ jobId: parentId }] },
    ]);
    inserted.resolve();
    await released.promise;
    return result?.id ?? '';
  });
  await Promise.race([inserted.promise, done]);
  return {
    commit: () => {
      released.resolve();
      return done;
    },
  };
}

async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: q.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const END_PARENT = `update millrace.jobs set status = 'succeeded', finished_at = now(), lease_token = null, lease_expires_at = null
                    where id = $1`;

test('a child that is enqueued while its parent settles is released: the settle waits for the enqueue', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const parent = await running();
    const child = await enqueueHeld(parent.job.id);
    const settling = finish(parent);
    await blocked();
    const id = await child.commit();
    expect(await settling).toBe('settled');
    expect(await q.job(id)).toMatchObject({ status: 'queued', pending_dependencies: 0 });
  }
});

test('a child that is enqueued while its parent settles is released: the enqueue waits for the settle', async () => {
  await withClient(async (client) => {
    for (let round = 0; round < ROUNDS; round++) {
      const parent = await running();
      await client.query('begin');
      await client.query(END_PARENT, [parent.job.id]);
      await client.query('select millrace.release_dependents(array[$1::uuid])', [parent.job.id]);
      const enqueuing = enqueue([{ jobId: parent.job.id }]);
      await blocked();
      await client.query('commit');
      expect(await q.job(await enqueuing)).toMatchObject({ status: 'queued', pending_dependencies: 0 });
    }
  });
});

test('in a single statement the child would wait forever, and the sweep that finds none finds it', async () => {
  const parent = await running();
  const child = await enqueueHeld(parent.job.id);
  const settling = withClient((client) =>
    client.query(
      `with moved as (${END_PARENT} returning id)
       update millrace.jobs j set pending_dependencies = j.pending_dependencies - 1
       from millrace.job_dependencies d join moved m on m.id = d.depends_on_id
       where j.id = d.job_id`,
      [parent.job.id],
    ),
  );
  await blocked();
  const id = await child.commit();
  await settling;
  expect(await q.job(id)).toMatchObject({ status: 'queued', pending_dependencies: 1 });
  expect(await repairDependents(q.db, q.notifier, testPipelines, 100)).toMatchObject({ repairedCount: 1 });
  expect(await q.job(id)).toMatchObject({ status: 'queued', pending_dependencies: 0 });
  expect(await repairDependents(q.db, q.notifier, testPipelines, 100)).toMatchObject({ repairedCount: 0 });
});

test('two parents that settle at the same time let their child go, whichever is first', async () => {
  await withClient(async (client) => {
    for (let round = 0; round < ROUNDS; round++) {
      const [one, two] = [await running(), await running()];
      const child = await enqueue([{ jobId: one.job.id }, { jobId: two.job.id }]);
      const [inSql, byWorker] = round % 2 === 0 ? [one, two] : [two, one];
      await client.query('begin');
      await client.query(END_PARENT, [inSql.job.id]);
      await client.query('select millrace.release_dependents(array[$1::uuid])', [inSql.job.id]);
      // Holds the child's row: the other has moved its parent and reads the edges only after this commit.
      const settling = finish(byWorker);
      await blocked();
      await client.query('commit');
      expect(await settling).toBe('settled');
      expect(await q.job(child)).toMatchObject({ status: 'queued', pending_dependencies: 0 });
    }
  });
});

test('a child that is retried while its parent settles is released, whichever is first', async () => {
  for (let round = 0; round < RACES; round++) {
    const parent = await running();
    const child = await enqueue([{ jobId: parent.job.id }]);
    await q.queue.cancel(tenantId, child, 'user:ann', null);
    const [settled, retried] = await Promise.all([finish(parent), q.queue.retry(tenantId, child)]);
    expect([settled, retried.kind]).toEqual(['settled', 'queued']);
    expect(await q.job(child)).toMatchObject({ status: 'queued', pending_dependencies: 0 });
  }
});

test('settles, enqueues with parents, cancels and retries at once give nobody a deadlock, and leave nothing waiting', async () => {
  const untilMs = performance.now() + 1_500;
  const ids: string[] = [];
  const some = (count: number): string[] =>
    Array.from({ length: count }, () => ids[Math.floor(Math.random() * ids.length)] ?? '').filter(
      (id, index, all) => id !== '' && all.indexOf(id) === index,
    );
  const loops = [
    ...Array.from({ length: 3 }, () => async () => {
      const dependsOn = some(4).map((jobId) => ({ jobId, policy: 'run' as const }));
      ids.push(await enqueue(dependsOn));
    }),
    ...Array.from({ length: 2 }, (_, worker) => async () => {
      const claimed = await q.claim(20, `worker-${worker}`);
      await Promise.all(
        claimed.map((item) =>
          Math.random() < 0.7 ? finish(item) : q.queue.finish(item, failed, measured()),
        ),
      );
    }),
    async () => {
      for (const id of some(1)) await q.queue.cancel(tenantId, id, 'user:ann', null);
    },
    async () => {
      for (const id of some(1)) await q.queue.retry(tenantId, id);
    },
  ];
  await Promise.all(
    loops.map(async (loop) => {
      while (performance.now() < untilMs) await loop();
    }),
  );
  // What is left can all be brought to an end.
  await waitFor(
    async () => {
      for (const item of await q.claim(500)) await finish(item);
      const { rows } = await q.superuser.query(
        `select count(*)::int from millrace.jobs where tenant_id = $1 and status in ('queued', 'running')`,
        [tenantId],
      );
      return rows[0].count === 0;
    },
    { describe: 'the end of all jobs' },
  );
  expect(await repairDependents(q.db, q.notifier, testPipelines, 1_000)).toEqual({
    repairedCount: 0,
    next: null,
  });
});
