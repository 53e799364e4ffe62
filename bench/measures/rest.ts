import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { loadConfig } from '../../src/config/config.ts';
import { signToken } from '../../src/identity/sign-token.ts';
import { fillWithJobs } from '../../test/support/million-jobs.ts';
import { waitFor } from '../../test/support/wait.ts';
import { machineMs } from '../measuring/clock.ts';
import { type Figure, figureOf, rounded } from '../measuring/figure.ts';
import type { Measure, MeasureContext } from '../measuring/measure.ts';
import { interleavedPairs } from '../measuring/pairs.ts';
import { median, quantile } from '../measuring/statistics.ts';
import { openKeepAlivePoster } from '../stage/keep-alive.ts';
import { noop } from '../stage/noop.ts';
import { startNoopWorker } from '../stage/noop-worker.ts';
import { unevenPauses } from '../stage/pace.ts';
import { startPiped } from '../stage/piped.ts';
import { startServer } from '../stage/server.ts';
import { openStage, SECRET } from '../stage/stage.ts';
import { callsPerSecond } from '../stage/writers.ts';

const CALLERS = 16;
const ENQUEUE_GOAL = 0.6;
const CLAIM_GOAL = 2;
const PAGE_GOAL = 1.2;
const LARGE = 1_000_000;
const SMALL = 10_000;
const QUICK_LARGE = 100_000;

const restUrl = (graphqlUrl: string, path: string): string =>
  graphqlUrl.replace('/graphql', `/api/v1${path}`);

/**
 * What REST costs: over a bare route with the same INSERT, over a worker in the database, and by the size of
 * the list.
 */
export const rest: Measure = {
  name: 'rest',
  title: 'REST: enqueue over a bare route, claims by long poll over native ones, a page at 1,000,000 jobs',
  async run(context) {
    return [...(await enqueues(context)), ...(await claims(context)), ...(await pages(context))];
  },
};

/** Jobs a second by 16 callers, each request one job. */
async function enqueues(context: MeasureContext): Promise<readonly Figure[]> {
  const { effort, say } = context;
  await using stage = await openStage(context);
  const server = await startServer(stage);
  const bare = await startPiped('bare-fastify', [stage.databaseUrl, stage.tenantId]);
  try {
    using ours = openKeepAlivePoster(restUrl(server.graphqlUrl, '/jobs'), server.token, CALLERS);
    using theirs = openKeepAlivePoster(bare.first, null, CALLERS);
    const rate = ({ post }: typeof ours): Promise<number> =>
      callsPerSecond(CALLERS, effort.runSeconds, async (_caller, n) => {
        const { status, text } = await post({ definition_key: noop.key, payload: { n } });
        if (status !== 201) throw new Error(`Not enqueued: ${status} ${text.slice(0, 300)}`);
      });
    const pairs = await interleavedPairs(
      effort.pairs,
      () => rate(ours),
      () => rate(theirs),
      ({ a, b }) => say(`REST: ${rounded(a)} jobs/s, against ${rounded(b)} of a bare route`),
    );
    return [
      figureOf(
        { name: 'POST /jobs ÷ a bare Fastify route with the same INSERT', unit: '×', goal: null },
        pairs.map(({ a, b }) => a / b),
      ),
      figureOf(
        {
          name: `the inverse (the goal is at least ${ENQUEUE_GOAL} ×)`,
          unit: '×',
          goal: Number((1 / ENQUEUE_GOAL).toFixed(3)),
        },
        pairs.map(({ a, b }) => b / a),
      ),
    ];
  } finally {
    await bare.stop();
    await server.program.interrupt();
  }
}

/**
 * From the producer's call to a worker that has the job, in turns: one that claims over HTTP, one that claims
 * in the database.
 */
async function claims(context: MeasureContext): Promise<readonly Figure[]> {
  const { effort } = context;
  await using stage = await openStage(context);
  const server = await startServer(stage);
  const native = await startNoopWorker(stage.env, 10);
  const token = await tokenOf(stage.tenantId, 'worker');
  const remote = await startPiped('remote-worker', [restUrl(server.graphqlUrl, ''), token, 'echo']);
  try {
    const startedMs = new Map<number, number>();
    remote.lines.on('line', (line) => {
      const [n, atMs] = line.split(' ').map(Number);
      startedMs.set(n as number, atMs as number);
    });
    const pause = unevenPauses();
    const samples = Math.min(effort.samples, 1_000);
    const askedMs: number[] = [];
    const remoteMs: number[] = [];
    for (let n = 0; n < 30 + samples; n++) {
      await pause();
      askedMs.push(machineMs());
      await stage.queue.enqueue(stage.tenantId, [{ definitionKey: noop.key, payload: { n } }]);
      await waitFor(() => native.count > n, { describe: `job ${n} to be begun`, pollMs: 5 });
      await pause();
      const remoteAskedMs = machineMs();
      const payload = { message: String(n) };
      await stage.queue.enqueue(stage.tenantId, [{ definitionKey: 'echo', payload }]);
      const gotMs = await waitFor(() => startedMs.get(n), { describe: `claim ${n}`, pollMs: 5 });
      remoteMs.push(gotMs - remoteAskedMs);
      // It completes the job, and asks again.
      await delay(15);
    }
    const nativeMs = (await native.take())
      .filter(([n]) => n >= 30)
      .map(([n, atMs]) => atMs - (askedMs[n] as number));
    const ofRemote = remoteMs.slice(30);
    const ratio = (own: readonly number[]): number => median(own) / median(nativeMs);
    return [
      figureOf({ name: 'enqueue → remote worker’s start, p50', unit: 'ms', goal: null }, ofRemote),
      figureOf({ name: 'enqueue → native worker’s start, p50', unit: 'ms', goal: null }, nativeMs),
      figureOf({ name: 'remote p50 ÷ native p50', unit: '×', goal: CLAIM_GOAL }, ofRemote, ratio),
    ];
  } finally {
    await Promise.all([remote.stop(), native.stop()]);
    await server.program.interrupt();
  }
}

/** The first page and one behind a cursor, of a list of each size in turns. */
async function pages(context: MeasureContext): Promise<readonly Figure[]> {
  const { effort, say } = context;
  await using small = await openList(context, SMALL);
  await using large = await openList(context, effort.quick ? QUICK_LARGE : LARGE);
  const asked = effort.quick ? 10 : 100;
  const figures: Figure[] = [];
  for (const [name, query] of Object.entries({
    'first page': '',
    'failed ones': '&status=failed',
    'offset 1,000': '&offset=1000',
  })) {
    const taken = { small: [] as number[], large: [] as number[] };
    for (let n = -3; n < asked; n++) {
      const [ofSmall, ofLarge] = [await small.ask(query), await large.ask(query)];
      if (n < 0) continue;
      taken.small.push(ofSmall);
      taken.large.push(ofLarge);
    }
    say(
      `${name}: p50 ${median(taken.large).toFixed(1)} ms, p95 ${quantile(taken.large, 0.95).toFixed(1)} ms`,
    );
    const ratio = (own: readonly number[]): number => median(own) / median(taken.small);
    figures.push(
      figureOf(
        { name: `GET /jobs, ${name}, ÷ at ${SMALL} jobs`, unit: '×', goal: PAGE_GOAL },
        taken.large,
        ratio,
      ),
    );
  }
  return figures;
}

async function openList(
  context: MeasureContext,
  count: number,
): Promise<AsyncDisposable & { ask(query: string): Promise<number> }> {
  await using opening = new AsyncDisposableStack();
  const stage = opening.use(await openStage(context));
  const superuser = new pg.Client({ connectionString: stage.databaseUrl });
  await superuser.connect();
  opening.defer(() => superuser.end());
  const { large: tenantId } = await fillWithJobs(superuser, count);
  await superuser.query('vacuum (analyze) millrace.jobs, millrace.tenant_jobs');
  const { program, graphqlUrl } = await startServer(stage);
  opening.defer(async () => void (await program.kill()));
  const headers = { authorization: `Bearer ${await tokenOf(tenantId, 'tenant_admin')}` };
  const opened = opening.move();
  return {
    ask: async (query) => {
      const began = performance.now();
      const response = await fetch(restUrl(graphqlUrl, `/jobs?limit=50${query}`), { headers });
      const { data } = (await response.json()) as { readonly data?: readonly unknown[] };
      if (data?.length !== 50) throw new Error(`${response.status}: ${data?.length} rows`);
      return performance.now() - began;
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

function tokenOf(tenantId: string, role: 'tenant_admin' | 'worker'): Promise<string> {
  const config = loadConfig({ MILLRACE_JWT_SECRET: SECRET });
  return signToken(config, { subject: 'bench', tenantId, role, ttlSeconds: 36_000 });
}
