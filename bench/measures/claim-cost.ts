import { type Figure, figureOf, rounded } from '../measuring/figure.ts';
import type { Measure, MeasureContext } from '../measuring/measure.ts';
import { interleavedPairs } from '../measuring/pairs.ts';
import { median, quantile } from '../measuring/statistics.ts';
import { addJobs, type ClaimingStage, openClaimingStage } from '../stage/claiming.ts';

const WAITING_JOBS = 1_000_000;
const FRUITLESS_TENANTS = 1_000;
/** Claim p99 of one definition beside a million waiting jobs of another, over without them. */
const RATIO_GOAL = 1.5;
const START_GOAL_MS = 50;

interface Situation {
  readonly name: string;
  readonly isServed: boolean;
  readonly columns: Readonly<Record<string, string>>;
  /** Run once the jobs are there; `$1` is their definition. */
  readonly sql: string | null;
}

const SITUATIONS: readonly Situation[] = [
  { name: 'not served', isServed: false, columns: {}, sql: null },
  {
    name: 'paused',
    isServed: true,
    columns: {},
    sql: 'update millrace.job_definitions set paused_at = now() where id = $1',
  },
  {
    name: 'at their limit',
    isServed: true,
    columns: {},
    sql: `with running as (
            update millrace.jobs set status = 'running', run_no = 1, lease_token = gen_random_uuid(), lease_expires_at = now() + interval '1 day'
            where id = (select id from millrace.jobs where definition_id = $1 limit 1))
          update millrace.job_definitions set max_running = 1 where id = $1`,
  },
  { name: 'waiting for parents', isServed: true, columns: { pending_dependencies: '1' }, sql: null },
];

/** What a claim costs beside what it can't have: it must follow what is claimed, not what waits. */
export const claimCost: Measure = {
  name: 'claim-cost',
  title:
    'A claim beside a million waiting jobs that it cannot have, and behind 1,000 tenants without work for it',
  async run(context) {
    await using alone = await openClaimingStage(context);
    await using beside = await openClaimingStage(context);
    const figures: Figure[] = [];
    for (const situation of SITUATIONS) figures.push(await besideWaiting(situation, alone, beside, context));
    for (const kind of ['future', 'paused', 'limited'] as const) {
      figures.push(await behindTenants(kind, alone, context));
    }
    return figures;
  },
};

async function besideWaiting(
  situation: Situation,
  alone: ClaimingStage,
  beside: ClaimingStage,
  { effort, say }: MeasureContext,
): Promise<Figure> {
  for (const { stage } of [alone, beside]) await reset(stage.client);
  await addJobs(beside.stage, beside.noopId, effort.quick ? 20_000 : WAITING_JOBS, situation.columns);
  if (situation.sql !== null) await beside.stage.client.query(situation.sql, [beside.noopId]);
  await beside.stage.client.query('vacuum analyze millrace.jobs');
  const claimsPerSide = Math.ceil(effort.samples / effort.pairs);
  const p99 = async (at: ClaimingStage): Promise<number> => {
    await addJobs(at.stage, at.echoId, claimsPerSide);
    const ids = situation.isServed ? [at.noopId, at.echoId] : [at.echoId];
    return quantile(await claimTimes(at, ids, claimsPerSide), 0.99);
  };
  await p99(alone);
  await p99(beside);
  const pairs = await interleavedPairs(
    effort.pairs,
    () => p99(beside),
    () => p99(alone),
    ({ a, b }) => say(`${situation.name}: p99 ${rounded(a)} ms beside them, ${rounded(b)} ms alone`),
  );
  return figureOf(
    { name: `claim p99 beside jobs ${situation.name} ÷ alone`, unit: '×', goal: RATIO_GOAL },
    pairs.map(({ a, b }) => a / b),
  );
}

const TENANTS_WITHOUT_WORK = {
  future: { time: `now() + interval '1 day'`, sql: null },
  paused: { time: 'now()', sql: `update millrace.tenants set paused_at = now() where slug like 'idle-%'` },
  limited: {
    time: 'now()',
    sql: `with running as (
            update millrace.jobs set status = 'running', run_no = 1, lease_token = gen_random_uuid(), lease_expires_at = now() + interval '1 day'
            where id in (select distinct on (tenant_id) id from millrace.jobs))
          update millrace.tenants set max_running = 1 where slug like 'idle-%'`,
  },
} as const;

async function behindTenants(
  kind: keyof typeof TENANTS_WITHOUT_WORK,
  at: ClaimingStage,
  { effort, say }: MeasureContext,
): Promise<Figure> {
  const { client } = at.stage;
  const { time, sql } = TENANTS_WITHOUT_WORK[kind];
  await reset(client);
  await client.query(
    `insert into millrace.tenants (id, slug, name)
     select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'idle-' || n, 'x' from generate_series(1, $1::int) n`,
    [FRUITLESS_TENANTS],
  );
  await client.query(
    `insert into millrace.jobs (tenant_id, definition_id, scheduled_for)
     select id, $1, ${time} from millrace.tenants, generate_series(1, 2) where slug like 'idle-%'`,
    [at.noopId],
  );
  if (sql !== null) await client.query(sql);
  await client.query('vacuum analyze millrace.jobs, millrace.tenants');
  const count = Math.min(200, effort.samples);
  await addJobs(at.stage, at.noopId, count + 10);
  await claimTimes(at, [at.noopId], 10);
  const times = await claimTimes(at, [at.noopId], count);
  say(`${kind}: p50 ${rounded(median(times))} ms, p99 ${rounded(quantile(times, 0.99))} ms`);
  return figureOf(
    { name: `claim behind ${FRUITLESS_TENANTS} tenants, ${kind}, p99`, unit: 'ms', goal: START_GOAL_MS },
    times,
    (samples) => quantile(samples, 0.99),
  );
}

/** Claims one job at a time, always from the first lane on; each must find one. */
async function claimTimes(
  at: ClaimingStage,
  definitionIds: readonly string[],
  count: number,
): Promise<readonly number[]> {
  const timesMs: number[] = [];
  for (let i = 0; i < count; i++) {
    const startMs = performance.now();
    const { jobs } = await at.queue.claim({ workerId: 'bench', definitionIds, limit: 1, after: null });
    timesMs.push(performance.now() - startMs);
    if (jobs.length !== 1) throw new Error(`claim ${i} of ${count} found ${jobs.length} jobs`);
  }
  return timesMs;
}

async function reset(client: ClaimingStage['stage']['client']): Promise<void> {
  await client.query('truncate millrace.jobs, millrace.limit_gates cascade');
  await client.query(`delete from millrace.tenants where slug like 'idle-%'`);
  await client.query('update millrace.job_definitions set paused_at = null, max_running = null');
}
