import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ClaimedJob, Finish, RunMeasure } from '../../src/core/queue.ts';
import { settleRuns } from '../../src/db/sql/queue/settle-runs.ts';
import { createPostgresQueue } from '../../src/queue/postgres-queue.ts';
import { settleItem, settleParameters } from '../../src/queue/settle-items.ts';
import { testPipelines } from '../support/pipelines.ts';
import {
  jobError,
  measured,
  openDatabase,
  openTestQueue,
  succeeded,
  type TestQueue,
} from '../support/queue.ts';

// Runs that succeed with no more to say have a statement of their own, beside the one for all ends.

let q: TestQueue;
beforeAll(async () => {
  q = await openTestQueue();
});
beforeEach(() => q.clear());
afterAll(() => q.close());

async function claimNew(count: number): Promise<readonly ClaimedJob[]> {
  const tenantId = await q.makeTenant();
  await q.queue.enqueue(
    tenantId,
    Array.from({ length: count }, () => ({ definitionKey: 'alpha', payload: {} })),
  );
  const jobs = await q.claim(count);
  expect(jobs.length).toBe(count);
  return jobs;
}

/** What a settlement leaves in the rows, without what differs between any two jobs. */
async function rowsOf(jobs: readonly ClaimedJob[]): Promise<readonly unknown[]> {
  const { rows } = await q.superuser.query(
    `select status, result, last_error, reason, attempt_count, snooze_count, lost_lease_count, run_no, version, wall_ms, cpu_ms,
            lease_token, lease_expires_at, claimed_by_worker, finished_at is not null as is_finished,
            extract(epoch from started_at - claimed_at)::float8 as began_after,
            (select count(*)::int from millrace.job_attempts a where a.job_id = j.id) as attempts,
            (select count(*)::int from millrace.usage_events u where u.job_id = j.id) as usage,
            (select count(*)::int from millrace.stored_attempts a where a.job_id = j.id) as stored
     from unnest($1::uuid[]) with ordinality as i (id, at) join millrace.jobs j on j.id = i.id order by i.at`,
    [jobs.map(({ job }) => job.id)],
  );
  return rows;
}

test('leaves in the row what the statement for all ends leaves there, whatever the runs have in common', async () => {
  const value = fc.oneof(
    fc.constant(null),
    fc.integer(),
    fc.string({ maxLength: 20 }),
    fc.constant({ a: ['"', '\\'] }),
  );
  const run = fc.record({
    result: value,
    wallMs: fc.constantFrom(0, 0, 7, 123.6),
    cpuMs: fc.constantFrom(null, null, 3.2),
    beganAfterMs: fc.constantFrom(-50, 0, 12.4),
    isCancelRequested: fc.boolean(),
    lostLeaseCount: fc.constantFrom(0, 2),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(run, { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      async (runs, hasTwoTokens) => {
        const half = hasTwoTokens ? 1 : runs.length;
        const claim = async (): Promise<readonly ClaimedJob[]> => [
          ...(await claimNew(half)),
          ...(half < runs.length ? await claimNew(runs.length - half) : []),
        ];
        const [plain, general] = [await claim(), await claim()];
        for (const jobs of [plain, general])
          await q.superuser.query(
            `update millrace.jobs j set lost_lease_count = i.lost, cancel_requested_at = case when i.cancel then now() end
           from unnest($1::uuid[], $2::integer[], $3::boolean[]) as i (id, lost, cancel) where j.id = i.id`,
            [
              jobs.map(({ job }) => job.id),
              runs.map((r) => r.lostLeaseCount),
              runs.map((r) => r.isCancelRequested),
            ],
          );
        const endOf = (at: number, { job }: ClaimedJob): readonly [Finish, RunMeasure] => {
          const { result, beganAfterMs, wallMs, cpuMs } = runs[at] as (typeof runs)[number];
          return [
            succeeded(result),
            { startedAtMs: (job.claimedAt?.getTime() ?? 0) + beganAfterMs, wallMs, cpuMs },
          ];
        };
        const seen = await Promise.all(plain.map((job, at) => q.queue.finish(job, ...endOf(at, job))));
        expect(new Set(seen)).toEqual(new Set(['settled']));
        const items = general.map((job, at) => settleItem(job.lease, ...endOf(at, job)));
        await q.db.asWorker(settleRuns, settleParameters(items));
        const [a, b] = [await rowsOf(plain), await rowsOf(general)];
        // Both begin in their own claim, which is cut to milliseconds on the way.
        const round = (rows: readonly unknown[]): readonly unknown[] =>
          rows.map((row) => ({
            ...(row as object),
            began_after: Math.abs((row as { began_after: number }).began_after) < 0.002 ? 0 : 1,
          }));
        expect(round(a)).toEqual(round(b));
      },
    ),
    { numRuns: 25 },
  );
});

test('ends of all kinds that come at once are settled each as it ended, and each learns what became of it', async () => {
  const jobs = await claimNew(60);
  const lost = jobs.filter((_, at) => at % 10 === 9);
  await q.superuser.query(`update millrace.jobs set lease_token = gen_random_uuid() where id = any ($1)`, [
    lost.map(({ job }) => job.id),
  ]);
  const kinds: readonly [Finish, string][] = [
    [succeeded(1), 'succeeded'],
    [{ kind: 'retry', delaySeconds: 60, error: jobError('boom') }, 'queued'],
    [
      {
        kind: 'final',
        settlement: { status: 'succeeded', skippedReason: 'nothing new', result: null, artifacts: [] },
      },
      'succeeded',
    ],
    [{ kind: 'final', settlement: { status: 'canceled', reason: 'enough' } }, 'canceled'],
    [{ kind: 'snooze', delaySeconds: 60, reason: 'later' }, 'queued'],
  ];
  const kindOf = (at: number): readonly [Finish, string] => kinds[at % kinds.length] as [Finish, string];
  const seen = await Promise.all(jobs.map((job, at) => q.queue.finish(job, kindOf(at)[0], measured())));
  expect(seen).toEqual(jobs.map((job) => (lost.includes(job) ? 'notOwner' : 'settled')));
  for (const [at, job] of jobs.entries())
    expect(await q.job(job.job.id)).toMatchObject({ status: lost.includes(job) ? 'running' : kindOf(at)[1] });
});

test('two that end the same runs in opposite orders do not wait for each other forever, and one of them has each', async () => {
  const db = openDatabase(q.url, 6);
  try {
    const other = createPostgresQueue(db, q.notifier, q.definitions, { pipelines: testPipelines });
    for (let round = 0; round < 10; round++) {
      const jobs = await claimNew(300);
      const end = (queue: typeof other, of: readonly ClaimedJob[]) =>
        Promise.all(
          of.map(async (job) => [job.job.id, await queue.finish(job, succeeded(), measured())] as const),
        );
      const [one, two] = await Promise.all([end(q.queue, jobs), end(other, [...jobs].reverse())]);
      const twos = new Map(two);
      for (const [id, seen] of one) expect([seen, twos.get(id)].sort()).toEqual(['notOwner', 'settled']);
    }
    expect([db.retriedCount, q.db.retriedCount]).toEqual([0, 0]);
  } finally {
    await db.close();
  }
});

test('a success frees what waits for it', async () => {
  const [parent] = await claimNew(1);
  const tenantId = parent?.job.tenantId ?? '';
  const [child] = await q.queue.enqueue(tenantId, [
    { definitionKey: 'beta', payload: {}, dependsOn: [{ jobId: parent?.job.id ?? '' }] },
  ]);
  expect(await q.job(child?.id ?? '')).toMatchObject({ pending_dependencies: 1 });
  expect(await q.queue.finish(parent as ClaimedJob, succeeded(), measured())).toBe('settled');
  expect(await q.job(child?.id ?? '')).toMatchObject({ pending_dependencies: 0 });
});
