import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPostgresQueue } from '../../src/queue/postgres-queue.ts';
import { testPipelines } from '../support/pipelines.ts';
import { measured, openDatabase, openTestQueue, succeeded, type TestQueue } from '../support/queue.ts';

let q: TestQueue;
beforeAll(async () => {
  q = await openTestQueue();
});
afterAll(() => q.close());

/** Sessions whose last statement was that one, of all but the test's own. */
async function sessionsAt(statement: string): Promise<readonly number[]> {
  const { rows } = await q.superuser.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and query like '/* ' || $1 || ' */%'`,
    [statement],
  );
  return rows.map(({ pid }) => pid);
}

test('a worker that has warmed up has taken nothing, and claims and settles on the connections that it opened for that', async () => {
  const tenantId = await q.makeTenant();
  const [job] = await q.queue.enqueue(tenantId, [{ definitionKey: 'alpha', payload: {} }]);
  const db = openDatabase(q.url, 6);
  try {
    const queue = createPostgresQueue(db, q.notifier, q.definitions, { pipelines: testPipelines });
    await queue.warmUp?.();
    expect(await q.job(job?.id ?? '')).toMatchObject({ status: 'queued', run_no: 0 });
    const claiming = await sessionsAt('claim_jobs');
    const settling = await sessionsAt('succeed_runs');
    expect([claiming.length, settling.length]).toEqual([1, 1]);

    const definitionIds = [...q.definitions.keys()];
    const { jobs } = await queue.claim({ workerId: 'worker-a', definitionIds, limit: 1, after: null });
    expect(jobs.map((claimed) => claimed.job.id)).toEqual([job?.id]);
    for (const claimed of jobs) expect(await queue.finish(claimed, succeeded(), measured())).toBe('settled');
    expect(await sessionsAt('claim_jobs')).toEqual(claiming);
    expect(await sessionsAt('succeed_runs')).toEqual(settling);
  } finally {
    await db.close();
  }
});
