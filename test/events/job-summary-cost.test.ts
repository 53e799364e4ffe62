import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countJobs, type JobCountRow } from '../../src/db/sql/feed/count-jobs.ts';
import { MAX_ACTIVE, MAX_FINISHED, toSummary } from '../../src/events/job-summary.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let superuser: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  superuser = new pg.Client({ connectionString: database.url });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await database.drop();
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/** The plan of a counting as the API's role under row security, prepared as the feed does. */
async function planOf(tenantId: string): Promise<PlanNode> {
  await superuser.query('begin');
  await superuser.query(
    `select set_config('role', 'millrace_api', true), set_config('millrace.tenant_id', $1, true),
            set_config('enable_seqscan', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)`,
    [tenantId],
  );
  await superuser.query(`prepare counting (uuid, integer[], bigint, bigint) as ${countJobs.text}`);
  const { rows } = await superuser.query(
    `explain (analyze, buffers, timing off, format json) execute counting ('${tenantId}', '{3600}', ${MAX_ACTIVE}, ${MAX_FINISHED})`,
  );
  await superuser.query('deallocate counting');
  await superuser.query('commit');
  return rows[0]['QUERY PLAN'][0].Plan;
}

function scansOf(node: PlanNode): string[] {
  const own = /Scan$/.test(node['Node Type']) && node['Index Name'] ? [node['Index Name']] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scansOf)];
}

function nodesOf(node: PlanNode): string[] {
  return [node['Node Type'], ...(node.Plans ?? []).flatMap(nodesOf)];
}

const blocksOf = (plan: PlanNode): number => plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];

async function makeTenant(oldJobs: number): Promise<string> {
  const { rows } = await superuser.query(
    "insert into millrace.tenants (slug, name) values (gen_random_uuid(), 'T') returning id",
  );
  const tenantId: string = rows[0].id;
  const { rows: definitions } = await superuser.query(
    'insert into millrace.job_definitions (key) values ($1) returning id',
    [`cost-${tenantId}`],
  );
  const insert = `insert into millrace.jobs (tenant_id, definition_id, status, finished_at)
    select $1, $2, 'succeeded', now() - make_interval(secs => $3) from generate_series(1, $4::integer)`;
  await superuser.query(insert, [tenantId, definitions[0].id, 60, 100]);
  if (oldJobs > 0) await superuser.query(insert, [tenantId, definitions[0].id, 200_000, oldJobs]);
  return tenantId;
}

test('a counting reads by index alone what is active and what ended lately, however long the history is', async () => {
  const [young, old] = [await makeTenant(0), await makeTenant(20_000)];
  await superuser.query('vacuum analyze millrace.jobs');
  const [youngPlan, oldPlan] = [await planOf(young), await planOf(old)];
  expect(nodesOf(oldPlan).filter((node) => node === 'Seq Scan' || /Bitmap/.test(node))).toEqual([]);
  expect(scansOf(oldPlan)).toContain('jobs_finished_idx');
  expect(scansOf(oldPlan)).toContain('jobs_ready_idx');
  expect(scansOf(oldPlan)).toContain('jobs_running_idx');
  process.stdout.write(
    `blocks of a counting: ${blocksOf(youngPlan)}, with 20,000 old jobs ${blocksOf(oldPlan)}\n`,
  );
  // A deeper index costs a block a search.
  expect(blocksOf(oldPlan)).toBeLessThanOrEqual(blocksOf(youngPlan) + 10);
});

test('a summary that was cut off says from which time on all that ended are counted, and that the active are at least that many', () => {
  const countedAt = new Date('2026-11-28T12:00:00Z');
  const row = (status: string, job_count: number, earliest: Date | null = null): JobCountRow => ({
    since_seconds: status === 'queued' ? null : 3_600,
    definition_key: status === 'cut' ? null : 'a',
    status,
    job_count,
    earliest,
  });
  const clock = { ...row('clock', 0), definition_key: null, earliest: countedAt };
  const early = new Date('2026-11-28T11:40:00Z');
  const cut = toSummary(
    [
      row('succeeded', MAX_FINISHED - 10),
      row('failed', 1),
      row('cut', 0, early),
      row('queued', MAX_ACTIVE),
      clock,
    ],
    3_600,
  );
  expect(cut).toMatchObject({ isComplete: false, finishedSince: early });
  const whole = toSummary([row('succeeded', MAX_FINISHED - 1), clock], 3_600);
  expect(whole).toMatchObject({ isComplete: true, finishedSince: new Date('2026-11-28T11:00:00Z') });
});

test('of a window that holds too many the newest are counted: exactly those that ended from the time on that is named', async () => {
  const tenantId = await makeTenant(0);
  const { rows } = await superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, status, finished_at)
     select $1, (select definition_id from millrace.jobs where tenant_id = $1 limit 1), 'canceled', now() - make_interval(secs => 600 + n / 40)
     from generate_series(1, 400) n returning id`,
    [tenantId],
  );
  expect(rows).toHaveLength(400);
  const { rows: counted } = await superuser.query<JobCountRow>(countJobs.text, [
    tenantId,
    [86_400],
    MAX_ACTIVE,
    250,
  ]);
  const { countedAt, finishedSince, counts } = toSummary(counted, 86_400);
  expect(countedAt.getTime() - finishedSince.getTime()).toBeLessThan(700_000);
  const { rows: exact } = await superuser.query(
    `select count(*)::int as n from millrace.jobs j where j.tenant_id = $1 and j.finished_at >= $2`,
    [tenantId, finishedSince],
  );
  expect(exact[0].n).toBeGreaterThan(200);
  expect(counts.canceled + counts.succeeded).toBe(exact[0].n);
});
