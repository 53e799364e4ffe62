import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { done } from '../../../src/core/outcome.ts';
import { openTestQueue, type TestQueue } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';
import { definitions } from './support/definitions.ts';
import { startTestWorker } from './support/worker.ts';

let q: TestQueue;
beforeAll(async () => {
  q = await openTestQueue(definitions);
});
beforeEach(() => q.clear());
afterAll(() => q.close());

const many = (count: number, payload: (n: number) => unknown = () => ({})) =>
  Array.from({ length: count }, (_, n) => ({ definitionKey: 'steady', payload: payload(n) }));

const countOf = async (tenantId: string, condition: string): Promise<number> => {
  const { rows } = await q.superuser.query(
    `select count(*)::integer as n from millrace.jobs where tenant_id = $1 and ${condition}`,
    [tenantId],
  );
  return rows[0].n;
};
const allEnded = (tenantId: string) =>
  waitFor(async () => (await countOf(tenantId, `status in ('queued', 'running')`)) === 0, {
    describe: 'all jobs to end',
  });

test('brief jobs are claimed ahead of the slots, run no more at a time than there are, each once', async () => {
  const tenantId = await q.makeTenant();
  let running = 0;
  let most = 0;
  let ran = 0;
  const worker = await startTestWorker(q, {
    concurrency: 3,
    handlers: {
      steady: async () => {
        running++;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running--;
        ran++;
        return done();
      },
    },
  });
  try {
    await q.queue.enqueue(tenantId, many(2_000));
    await allEnded(tenantId);
    expect({ most, ran }).toEqual({ most: 3, ran: 2_000 });
    expect(
      await countOf(tenantId, `status = 'succeeded' and attempt_count = 0 and started_at >= claimed_at`),
    ).toBe(2_000);
    const { rows } = await q.superuser.query(
      `select max(together)::integer as most from (
         select count(*) as together from millrace.jobs where tenant_id = $1 group by claimed_at) c`,
      [tenantId],
    );
    expect(rows[0].most).toBeGreaterThan(3);
  } finally {
    await worker.stop();
  }
});

test('what waits behind a run that turns out to be long is handed back within seconds, its attempts unspent', async () => {
  const tenantId = await q.makeTenant();
  const long = Promise.withResolvers<void>();
  let longBegan = false;
  const worker = await startTestWorker(q, {
    concurrency: 1,
    handlers: {
      steady: async ({ payload }) => {
        if ((payload as { long?: boolean }).long === true) {
          longBegan = true;
          await long.promise;
        }
        return done();
      },
    },
  });
  try {
    await q.queue.enqueue(
      tenantId,
      many(600, (n) => ({ long: n === 300 })),
    );
    await waitFor(() => longBegan, { describe: 'the long run to begin' });
    await waitFor(async () => (await countOf(tenantId, `status = 'running'`)) === 1, {
      describe: 'all others to be back in the queue',
    });
    expect(
      await countOf(tenantId, `status = 'queued' and attempt_count = 0 and lost_lease_count = 0`),
    ).toBeGreaterThan(0);
    long.resolve();
    await allEnded(tenantId);
    expect(await countOf(tenantId, `status = 'succeeded' and attempt_count = 0`)).toBe(600);
  } finally {
    long.resolve();
    await worker.stop();
  }
});

test('a lease that is lost before its run is known to have begun spends no attempt, and its job is not claimed ahead again', async () => {
  const tenantId = await q.makeTenant();
  await q.queue.enqueue(tenantId, many(40));
  const definitionIds = [...q.definitions.keys()];
  const ahead = { count: 40, definitionIds };
  const claimed = await q.queue.claim({ workerId: 'gone', definitionIds, limit: 0, ahead, after: null });
  expect(claimed.jobs.length).toBe(40);
  await q.superuser.query(
    `update millrace.jobs set lease_expires_at = now() - interval '1 hour' where tenant_id = $1`,
    [tenantId],
  );
  expect((await q.queue.rescue(100)).length).toBe(40);
  expect(await countOf(tenantId, `attempt_count = 0 and lost_lease_count = 1`)).toBe(40);

  const begun = new Set<string>();
  let most = 0;
  const worker = await startTestWorker(q, {
    concurrency: 2,
    handlers: {
      steady: async ({ jobId }) => {
        begun.add(jobId);
        const { rows } = await q.db.asWorker<{ id: string }>(
          {
            name: 'suspects',
            text: `select id from millrace.jobs where tenant_id = $1 and status = 'running' and lost_lease_count = 1`,
          },
          [tenantId],
        );
        most = Math.max(most, rows.filter(({ id }) => !begun.has(id)).length);
        return done();
      },
    },
  });
  try {
    await allEnded(tenantId);
    expect(begun.size).toBe(40);
    expect(await countOf(tenantId, `status = 'succeeded'`)).toBe(40);
    // Claimed and not begun: for the two slots alone.
    expect(most).toBeLessThanOrEqual(2);
  } finally {
    await worker.stop();
  }
});
