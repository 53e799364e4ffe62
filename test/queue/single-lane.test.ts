import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ClaimRequest, JobQueue, LaneCursor } from '../../src/core/queue.ts';
import { createPostgresQueue } from '../../src/queue/postgres-queue.ts';
import { testPipelines } from '../support/pipelines.ts';
import { measured, openTestQueue, succeeded, type TestQueue } from '../support/queue.ts';

// A worker that has had its jobs from one lane asks that one by a shorter statement than the one for all.

let q: TestQueue;
let queue: JobQueue;
let tenantId: string;
beforeAll(async () => {
  q = await openTestQueue();
});
beforeEach(async () => {
  await q.clear();
  tenantId = await q.makeTenant();
  // What a process remembers of its claims begins again.
  queue = createPostgresQueue(q.db, q.notifier, q.definitions, { pipelines: testPipelines });
});
afterEach(() =>
  q.superuser.query(
    `update millrace.job_definitions set paused_at = null, max_running = null, max_running_per_tenant = null,
       rate_limit_count = null, rate_limit_period_seconds = null,
       rate_limit_per_tenant_count = null, rate_limit_per_tenant_period_seconds = null`,
  ),
);
afterAll(() => q.close());

const alphaOf = (lane: LaneCursor | null, limit = 10): ClaimRequest => ({
  workerId: 'w',
  definitionIds: [...q.definitions.keys()],
  limit,
  after: lane,
});

function put(count = 1, definitionKey = 'alpha', tenant = tenantId): Promise<unknown> {
  return q.queue.enqueue(
    tenant,
    Array.from({ length: count }, () => ({ definitionKey, payload: {} })),
  );
}

/** Two claims that had a job of the lane; where the next goes on. */
async function settledIn(): Promise<LaneCursor> {
  let cursor: LaneCursor | null = null;
  for (let n = 0; n < 2; n++) {
    await put();
    const claimed = await queue.claim(alphaOf(cursor));
    expect(claimed.jobs.length).toBe(1);
    ({ cursor } = claimed);
  }
  return cursor as LaneCursor;
}

/** The names of the claiming statements that `work` ran. */
async function claimsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const spy = vi.spyOn(q.db, 'asWorker');
  try {
    await work();
    return spy.mock.calls.map(([{ name }]) => name).filter((name) => name.startsWith('claim_'));
  } finally {
    spy.mockRestore();
  }
}

describe('a worker', () => {
  test('asks one lane when its jobs come from there time and again, and all lanes while they do not', async () => {
    const cursor = await settledIn();
    await put(3);
    let jobs: readonly unknown[] = [];
    expect(await claimsOf(async () => ({ jobs } = await queue.claim(alphaOf(cursor, 2))))).toEqual([
      'claim_single_lane',
    ]);
    expect(jobs.length).toBe(2);
    // Also while it gives nothing.
    expect(await claimsOf(() => queue.claim(alphaOf(cursor)))).toEqual(['claim_single_lane']);
    expect(await claimsOf(() => queue.claim(alphaOf(cursor)))).toEqual(['claim_single_lane']);

    // Tenants that take turns: no lane is asked for in vain.
    const other = await q.makeTenant();
    let after: LaneCursor | null = cursor;
    const names: (readonly string[])[] = [];
    for (const tenant of [other, tenantId, other, tenantId]) {
      await put(1, 'alpha', tenant);
      names.push(
        await claimsOf(async () => {
          const claimed = await queue.claim(alphaOf(after));
          expect(claimed.jobs.map(({ job }) => job.tenantId)).toEqual([tenant]);
          after = claimed.cursor;
        }),
      );
    }
    expect(names).toEqual([
      ['claim_single_lane', 'claim_jobs'],
      ['claim_jobs'],
      ['claim_jobs'],
      ['claim_jobs'],
    ]);
  });

  test('does not ask one lane in vain time and again while others lie there that it may not claim from', async () => {
    const onlyAlpha = { definitionIds: [q.definitionId('alpha')] };
    let cursor: LaneCursor | null = await settledIn();
    await put(1, 'beta');
    try {
      const names: (readonly string[])[] = [];
      for (const afterMs of [0, 1, 2, 3, 9_000, 10_001, 10_002]) {
        await put();
        const clock = vi.spyOn(performance, 'now').mockReturnValue(1e9 + afterMs);
        names.push(
          await claimsOf(async () => {
            const claimed = await queue.claim({ ...alphaOf(cursor), ...onlyAlpha });
            expect(claimed.jobs.length).toBe(1);
            cursor = claimed.cursor;
          }),
        );
        clock.mockRestore();
      }
      const asked = names.map((each) => each.filter((name) => name === 'claim_single_lane').length);
      expect(asked).toEqual([1, 0, 0, 0, 0, 1, 0]);
      expect(names.every((each) => each.at(-1) === 'claim_jobs')).toBe(true);
    } finally {
      vi.restoreAllMocks();
    }
  });

  const change = (sql: string) => () => q.superuser.query(sql, sql.includes('$1') ? [tenantId] : []);
  test.each<readonly [what: string, change: () => Promise<unknown>, gives: number]>([
    ['pauses', change('update millrace.tenants set paused_at = now() where id = $1'), 0],
    ['is being deleted', change('update millrace.tenants set deleted_at = now() where id = $1'), 0],
    ['has a limit', change('update millrace.tenants set max_running = 3 where id = $1'), 1],
    [
      'has a rate',
      change(
        'update millrace.tenants set rate_limit_count = 1, rate_limit_period_seconds = 60 where id = $1',
      ),
      1,
    ],
    [
      'has a definition that pauses',
      change(`update millrace.job_definitions set paused_at = now() where key = 'alpha'`),
      0,
    ],
    [
      'has a definition with a limit',
      change(`update millrace.job_definitions set max_running = 3 where key = 'alpha'`),
      1,
    ],
    [
      'has a definition with a limit for each tenant',
      change(`update millrace.job_definitions set max_running_per_tenant = 3 where key = 'alpha'`),
      1,
    ],
    [
      'has a definition with a rate',
      change(
        `update millrace.job_definitions set rate_limit_count = 1, rate_limit_period_seconds = 60 where key = 'alpha'`,
      ),
      1,
    ],
    [
      'has a definition with a rate for each tenant',
      change(
        `update millrace.job_definitions set rate_limit_per_tenant_count = 2, rate_limit_per_tenant_period_seconds = 60
         where key = 'alpha'`,
      ),
      2,
    ],
    [
      'has a limit of its own',
      change(
        `insert into millrace.lane_limits (tenant_id, definition_id, max_running)
         select $1, id, 3 from millrace.job_definitions where key = 'alpha'`,
      ),
      1,
    ],
  ])('asks all lanes when the lane %s: its limits hold', async (_what, change, gives) => {
    const cursor = await settledIn();
    await put(3);
    await change();
    let jobs: readonly unknown[] = [];
    const names = await claimsOf(async () => ({ jobs } = await queue.claim(alphaOf(cursor))));
    expect(names).toContain('claim_jobs');
    // Two runs are at work; a rate counts from when there is one.
    expect(jobs.length).toBe(gives);
  });

  test('has no more of the lane than its turn when another has jobs', async () => {
    const cursor = await settledIn();
    const other = await q.makeTenant();
    await put(60);
    await put(60, 'alpha', other);
    const { jobs } = await queue.claim(alphaOf(cursor, 40));
    const own = jobs.filter(({ job }) => job.tenantId === tenantId).length;
    expect(jobs.length).toBe(40);
    expect(own).toBeGreaterThanOrEqual(18);
    expect(own).toBeLessThanOrEqual(22);
  });
});

test('many workers on one lane, whose jobs are edited and canceled meanwhile, have each job once', async () => {
  const JOBS = 300;
  const rivals = Array.from({ length: 6 }, () =>
    createPostgresQueue(q.db, q.notifier, q.definitions, { pipelines: testPipelines }),
  );
  const cursors: (LaneCursor | null)[] = rivals.map(() => null);
  for (let n = 0; n < 2; n++)
    for (const [at, rival] of rivals.entries()) {
      await put();
      const { jobs, cursor } = await rival.claim(alphaOf(cursors[at] ?? null));
      for (const claimed of jobs) await rival.finish(claimed, succeeded(), measured());
      cursors[at] = cursor;
    }
  await q.clear();
  await put(JOBS);
  const { rows } = await q.superuser.query<{ id: string }>('select id from millrace.jobs order by id');
  const meddling = (async () => {
    for (let at = 0; at < rows.length; at += 3) {
      await q.superuser.query(
        `update millrace.jobs set priority = 101 + $2 where id = $1 and status = 'queued'`,
        [rows[at]?.id, at],
      );
      await q.superuser.query(
        `update millrace.jobs set status = 'canceled', finished_at = now() where id = $1 and status = 'queued'`,
        [rows[JOBS - 1 - at]?.id],
      );
    }
  })();
  const seen: string[] = [];
  const names = await claimsOf(() =>
    Promise.all(
      rivals.map(async (rival, at) => {
        const lane = cursors[at] ?? null;
        for (let empty = 0; empty < 3; ) {
          const { jobs } = await rival.claim({ ...alphaOf(lane, 4), workerId: `w${at}` });
          if (jobs.length === 0) empty++;
          seen.push(...jobs.map(({ lease }) => `${lease.jobId} ${lease.token}`));
        }
      }),
    ),
  );
  await meddling;
  expect(new Set(names)).toEqual(new Set(['claim_single_lane']));
  const after = await q.superuser.query<{ key: string; run_no: number }>(
    `select id || ' ' || lease_token as key, run_no from millrace.jobs where status = 'running'`,
  );
  const canceled = await q.superuser.query(`select from millrace.jobs where status = 'canceled'`);
  expect(after.rows.map(({ key }) => key).sort()).toEqual([...seen].sort());
  expect(after.rows.every(({ run_no }) => run_no === 1)).toBe(true);
  expect(seen.length + (canceled.rowCount ?? 0)).toBe(JOBS);
});
