import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ClaimedJob, LaneCursor } from '../../src/core/queue.ts';
import { classifyError } from '../../src/db/retryable.ts';
import { handBackUnknownClaims } from '../../src/db/sql/worker/hand-back-unknown-claims.ts';
import { measured, openTestQueue, succeeded, type TestQueue } from '../support/queue.ts';
import { mostAtOnce, recordRuns } from '../support/run-intervals.ts';

const CLAIMERS = 20;
const LIMIT = 3;

let q: TestQueue;
let tenants: readonly string[];
beforeAll(async () => {
  q = await openTestQueue(undefined, CLAIMERS);
});
beforeEach(async () => {
  await q.superuser.query(
    `truncate millrace.jobs, millrace.lane_limits, millrace.limit_gates cascade;
     update millrace.job_definitions set max_running = null, max_running_per_tenant = null;`,
  );
  tenants = [await q.makeTenant(), await q.makeTenant()];
  await recordRuns(q.superuser);
});
afterAll(() => q.close());

async function enqueueEverywhere(jobsPerLane: number): Promise<void> {
  await q.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id)
     select t, d from unnest($1::uuid[]) t, unnest($2::uuid[]) d, generate_series(1, $3)`,
    [tenants, [...q.definitions.keys()], jobsPerLane],
  );
}

/** Ends backends in the middle of their claims until `stop` is called; returns how many it ended. */
async function killClaims(): Promise<{ stop(): Promise<number> }> {
  const client = new pg.Client({ connectionString: q.url });
  await client.connect();
  let isDone = false;
  const running = (async () => {
    let killed = 0;
    while (!isDone) {
      const { rows } = await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and state = 'active' and query like '/* claim_jobs */%'
         order by random() limit 1`,
      );
      killed += rows.length;
      await client.query('select pg_sleep(0.02)');
    }
    await client.end();
    return killed;
  })();
  return {
    stop: () => {
      isDone = true;
      return running;
    },
  };
}

const isOpen = async (): Promise<boolean> =>
  (await q.superuser.query('select exists (select from millrace.jobs where finished_at is null) as open'))
    .rows[0].open;

/** Claims and settles until nothing is left, as a worker that outlives its connections does. */
async function work(workerId: string, limit: number): Promise<void> {
  let after: LaneCursor | null = null;
  for (;;) {
    let jobs: readonly ClaimedJob[] = [];
    try {
      const result: { jobs: readonly ClaimedJob[]; cursor: LaneCursor | null } = await q.queue.claim({
        workerId,
        definitionIds: [...q.definitions.keys()],
        limit,
        after,
      });
      jobs = result.jobs;
      after = result.cursor;
    } catch {
      // Its answer may have been lost after the commit.
      await q.db.asWorker(handBackUnknownClaims, [workerId, [], []]);
    }
    if (jobs.length === 0 && !(await isOpen())) return;
    for (const job of jobs) await settle(job);
  }
}

/** A backend that was seen claiming may be settling when it is ended, before its commit or after it. */
async function settle(job: ClaimedJob): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      const result = await q.queue.finish(job, succeeded(), measured());
      expect(isFirst ? ['settled'] : ['settled', 'notOwner']).toContain(result);
      return;
    } catch (error) {
      if (classifyError(error) !== 'reconnect') throw error;
    }
  }
}

const LIMITS = {
  definition: 'update millrace.job_definitions set max_running = 3',
  tenant: 'update millrace.tenants set max_running = 3',
  lane: `insert into millrace.lane_limits (tenant_id, definition_id, max_running)
         select t.id, d.id, 3 from millrace.tenants t, millrace.job_definitions d`,
} as const;

describe('no limit is ever exceeded by 20 concurrent claimers whose backends are killed in the middle of claims', () => {
  test.each(['definition', 'tenant', 'lane'] as const)('of a %s', async (scope) => {
    await q.superuser.query(LIMITS[scope]);
    await enqueueEverywhere(20);
    const killer = await killClaims();
    await Promise.all(Array.from({ length: CLAIMERS }, (_, n) => work(`w${n}`, 1 + (n % 5))));
    expect(await killer.stop()).toBeGreaterThan(0);
    const { rows } = await q.superuser.query(
      `select count(*)::int as n from millrace.jobs where status = 'succeeded'`,
    );
    expect(rows[0].n).toBe(80);
    // Reached, so that it was the limit that held and not a lack of work; never exceeded.
    expect(await mostAtOnce(q.superuser, scope)).toBe(LIMIT);
  });
});

// The claim as it must not be: the count in the statement that takes the lock, and so in a snapshot from
// before the lock. The pause makes the moment between the two longer, so that the test need not wait for it.
const MERGED = `
create or replace function public.merged_claim(p_definition_id uuid) returns setof uuid language sql volatile as $$
  with pause as materialized (
    select pg_sleep(0.005)
  ), gate as materialized (
    select g.id from pause, millrace.limit_gates g where g.definition_id = p_definition_id for no key update of g skip locked
  ), picked as materialized (
    select id from millrace.jobs
    where definition_id = p_definition_id and status = 'queued' and exists (select from gate)
    order by priority, scheduled_for, id
    limit (select 3 - least(3, count(*)) from millrace.jobs where definition_id = p_definition_id and status = 'running')
    for no key update skip locked
  )
  update millrace.jobs j
  set status = 'running', run_no = j.run_no + 1, lease_token = gen_random_uuid(), lease_expires_at = now() + interval '1 minute',
      claimed_by_worker = 'w', claimed_at = clock_timestamp(), version = j.version + 1, changed_xid = pg_current_xact_id()
  from picked where j.id = picked.id
  returning j.id
$$`;

test('a claim that counts in the statement that takes the lock overshoots, and the sweep sees it', async () => {
  const definitionId = q.definitionId('alpha');
  await q.superuser.query(MERGED);
  await q.superuser.query(
    `insert into millrace.limit_gates (scope, definition_id) values ('definition', $1)`,
    [definitionId],
  );
  await enqueueEverywhere(500);
  const merged = { name: 'merged_claim', text: 'select merged_claim as id from public.merged_claim($1)' };
  const release = {
    name: 'merged_release',
    text: `update millrace.jobs set status = 'succeeded', finished_at = clock_timestamp(), lease_token = null, lease_expires_at = null
           where id = any ($1)`,
  };
  let most = 0;
  const deadlineMs = Date.now() + 120_000;
  while (most <= LIMIT && Date.now() < deadlineMs) {
    await Promise.all(
      Array.from({ length: CLAIMERS }, async () => {
        for (let i = 0; i < 5; i++) {
          const { rows } = await q.db.asWorker<{ id: string }>(merged, [definitionId]);
          if (rows.length > 0) await q.db.asWorker(release, [rows.map(({ id }) => id)]);
        }
      }),
    );
    most = await mostAtOnce(q.superuser, 'definition');
  }
  expect(most).toBeGreaterThan(LIMIT);
});
