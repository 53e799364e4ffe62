import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobError, measured, openTestQueue, succeeded, type TestQueue } from '../support/queue.ts';

let q: TestQueue;
beforeAll(async () => {
  // One connection, so that every verb meets its own early plans again.
  q = await openTestQueue(undefined, 1);
});
afterAll(() => q.close());

/** How often the tables of the queue were read whole, as far as the server has counted. */
async function seqScans(): Promise<number> {
  const { rows } = await q.superuser.query(
    `select pg_stat_force_next_flush(), (select sum(seq_scan)::int from pg_stat_user_tables where relname in ('jobs', 'job_attempts')) as n`,
  );
  return rows[0].n;
}

/** Each verb of the queue once, on a job of its own. */
async function everyVerb(tenantId: string): Promise<void> {
  const [kept, retried] = await q.queue.enqueue(tenantId, [
    { definitionKey: 'alpha', payload: {}, dedupeKey: 'k', priority: 0 },
    { definitionKey: 'alpha', payload: {}, priority: 0 },
  ]);
  await q.queue.enqueue(tenantId, [{ definitionKey: 'alpha', payload: {}, dedupeKey: 'k' }]);
  const claimed = await q.claim(2);
  await q.queue.heartbeat(
    claimed.map((item) => item.lease),
    [30, 30],
  );
  for (const item of claimed) {
    await q.queue.holds(item.lease);
    await q.queue.start(item.lease);
    const failed = { kind: 'final', settlement: { status: 'failed', error: jobError() } } as const;
    await q.queue.finish(item, item.job.id === kept?.id ? succeeded() : failed, measured());
  }
  await q.queue.retry(tenantId, retried?.id ?? '');
  await q.queue.cancel(tenantId, retried?.id ?? '', 'user:ann', null);
  await q.queue.rescue(10);
}

test('statements that were first planned on a nearly empty table never read it whole once it has grown', async () => {
  const tenantId = await q.makeTenant();
  // What autovacuum finds in a queue that idles: a page or two, which are read fastest as a whole.
  await everyVerb(tenantId);
  await q.superuser.query(
    'vacuum analyze millrace.jobs, millrace.job_attempts, millrace.job_definitions, millrace.tenants',
  );
  // Enough for prepared statements and PL/pgSQL to settle on their lasting plans.
  for (let i = 0; i < 12; i++) await everyVerb(tenantId);
  await q.superuser.query('alter table millrace.jobs set (autovacuum_enabled = off)');
  await q.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id) select $1, $2 from generate_series(1, 20000)`,
    [tenantId, q.definitionId('alpha')],
  );
  const before = await seqScans();
  for (let i = 0; i < 5; i++) await everyVerb(tenantId);
  expect((await seqScans()) - before).toBe(0);
});
