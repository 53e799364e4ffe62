import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { waitFor } from '../../test/support/wait.ts';
import { machineMs } from '../measuring/clock.ts';
import { type Figure, figureOf } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { median } from '../measuring/statistics.ts';
import { startCrowd } from '../stage/crowd.ts';
import { type FilledStage, openFilledStage } from '../stage/filled.ts';
import { noop } from '../stage/noop.ts';
import { unevenPauses } from '../stage/pace.ts';
import { startServer } from '../stage/server.ts';

const LARGE = 5_000_000;
const SMALL = 10_000;
const QUICK_LARGE = 200_000;
const SOCKETS = 2_000;
const ROUNDS = 3;
const SAMPLES = 300;
const WARM_UP = 20;
const GOAL_LATENCY = 1.5;
const GOAL_BACK = 2;
/** Jobs of other tenants that change while the sockets are away. */
const BURST = 100_000;

/** That have jobs of the larger tenant at either size. */
const CORRELATIONS = 1_000;

const CHANGES = `subscription ($filter: JobChangesFilter, $after: String) {
  jobChanges(filter: $filter, after: $after) {
    __typename
    ... on JobUpdated { job { uuid status } }
    ... on FeedReady { cursor isComplete }
    ... on ResyncRequired { reason }
  }
}`;

interface Event {
  readonly jobChanges: {
    readonly __typename: string;
    readonly cursor?: string;
    readonly job?: { readonly uuid: string };
  };
}

/** What the live feed takes at five million jobs, beside the same at ten thousand. */
export const feedSize: Measure = {
  name: 'feed-size',
  title: 'Commit to subscriber, and 2,000 sockets back after a restart, at 5,000,000 jobs beside 10,000',
  async run(context) {
    const { effort, say } = context;
    const sockets = effort.quick ? 200 : SOCKETS;
    await using small = await openFilledStage(context, SMALL);
    await using large = await openFilledStage(context, effort.quick ? QUICK_LARGE : LARGE);
    const figures: Figure[] = [];

    const latencies = await latenciesOf(small, large, effort.quick);
    say(
      `commit → subscriber: ${median(latencies.small).toFixed(1)} ms and ${median(latencies.large).toFixed(1)} ms`,
    );
    figures.push(
      figureOf({ name: 'commit → subscriber, p50, at 10,000 jobs', unit: 'ms', goal: null }, latencies.small),
      figureOf({ name: 'commit → subscriber, p50, at 5,000,000', unit: 'ms', goal: null }, latencies.large),
      figureOf(
        { name: 'commit → subscriber ÷ that at 10,000 jobs', unit: '×', goal: GOAL_LATENCY },
        latencies.large.map((ms) => ms / median(latencies.small)),
      ),
    );

    const back = { small: [] as number[], large: [] as number[], burst: [] as number[] };
    for (let round = 0; round < (effort.quick ? 1 : ROUNDS); round++) {
      back.small.push(await backAfterRestart(small, sockets, 0));
      back.large.push(await backAfterRestart(large, sockets, 0));
      back.burst.push(await backAfterRestart(large, sockets, effort.quick ? BURST / 50 : BURST));
      say(
        `${sockets} sockets back: ${Math.round(back.small.at(-1) ?? 0)} and ${Math.round(back.large.at(-1) ?? 0)} ms; after ${BURST} changes of others ${Math.round(back.burst.at(-1) ?? 0)} ms`,
      );
    }
    const atSmall = median(back.small);
    figures.push(
      figureOf({ name: `${sockets} sockets back, at 10,000 jobs`, unit: 'ms', goal: null }, back.small),
      figureOf({ name: `${sockets} sockets back, at 5,000,000`, unit: 'ms', goal: null }, back.large),
      figureOf(
        { name: 'sockets back ÷ that at 10,000 jobs', unit: '×', goal: GOAL_BACK },
        back.large.map((ms) => ms / atSmall),
      ),
      figureOf(
        { name: 'the same, other tenants having changed 100,000 jobs meanwhile', unit: '×', goal: GOAL_BACK },
        back.burst.map((ms) => ms / atSmall),
      ),
    );
    return figures;
  },
};

function connect(graphqlUrl: string, token: string) {
  return createClient({
    url: graphqlUrl.replace(/^http/, 'ws'),
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
    retryAttempts: 0,
  });
}

interface Watcher extends AsyncDisposable {
  /** From the writer's knowledge of its commit to the event, for a subscriber of one correlation. */
  next(): Promise<number>;
}

async function watch({ stage, large, token }: FilledStage): Promise<Watcher> {
  const { program, graphqlUrl } = await startServer(stage);
  const client = connect(graphqlUrl, token);
  const arrivedMs = new Map<string, number>();
  let isReady = false;
  client.subscribe<Event>(
    { query: CHANGES, variables: { filter: { correlationId: 'bench' } } },
    {
      next: ({ data }) => {
        const event = data?.jobChanges;
        if (event?.__typename === 'FeedReady') isReady = true;
        if (event?.job) arrivedMs.set(event.job.uuid, arrivedMs.get(event.job.uuid) ?? machineMs());
      },
      error: () => undefined,
      complete: () => undefined,
    },
  );
  await waitFor(() => isReady, { describe: 'the subscription', timeoutMs: 60_000 });
  return {
    next: async () => {
      const [job] = await stage.queue.enqueue(large, [
        { definitionKey: noop.key, payload: {}, correlationId: 'bench' },
      ]);
      const committedMs = machineMs();
      const atMs = await waitFor(() => arrivedMs.get(job?.id ?? ''), { describe: 'the event', pollMs: 5 });
      return atMs - committedMs;
    },
    [Symbol.asyncDispose]: async () => {
      await client.dispose();
      await program.kill();
    },
  };
}

/** Of both in turns: what else the machine does meanwhile is in both. */
async function latenciesOf(
  small: FilledStage,
  large: FilledStage,
  isQuick: boolean,
): Promise<{ readonly small: number[]; readonly large: number[] }> {
  await using ofSmall = await watch(small);
  await using ofLarge = await watch(large);
  const pause = unevenPauses();
  const taken = { small: [] as number[], large: [] as number[] };
  for (let n = 0; n < WARM_UP + (isQuick ? 20 : SAMPLES); n++) {
    await pause();
    const [one, other] = [await ofSmall.next(), await ofLarge.next()];
    if (n < WARM_UP) continue;
    taken.small.push(one);
    taken.large.push(other);
  }
  return taken;
}

/**
 * From the first connection to the last subscriber's being up to date, each with a filter of its own and a
 * cursor of before.
 */
async function backAfterRestart(
  { stage, superuser, large, token }: FilledStage,
  sockets: number,
  changes: number,
): Promise<number> {
  const cursor = await cursorOf(stage, token);
  if (changes > 0)
    await superuser.query(
      `update millrace.jobs set version = version + 1, changed_xid = pg_current_xact_id()
       where id in (select id from millrace.jobs where tenant_id <> $1 limit $2)`,
      [large, changes],
    );
  // What each has missed: two jobs of its correlation, of which the smaller stage has half as many.
  const correlations = Array.from({ length: sockets }, (_, n) => `run-${n % CORRELATIONS}`);
  await superuser.query(
    `update millrace.jobs set version = version + 1, changed_xid = pg_current_xact_id()
     where tenant_id = $1 and correlation_id = any ($2)`,
    [large, correlations],
  );
  const { program, graphqlUrl } = await startServer(stage);
  const crowd = await startCrowd();
  try {
    const startedMs = performance.now();
    await crowd.open({ url: graphqlUrl.replace(/^http/, 'ws'), token }, sockets);
    const variables = correlations.map((correlationId) => ({ filter: { correlationId }, after: cursor }));
    await crowd.subscribe({ query: CHANGES, variables, from: 0, to: sockets, until: '"JobUpdated"' });
    return performance.now() - startedMs;
  } finally {
    await crowd.close();
    await crowd.stop();
    await program.kill();
  }
}

async function cursorOf(stage: FilledStage['stage'], token: string): Promise<string> {
  const { program, graphqlUrl } = await startServer(stage);
  const client = connect(graphqlUrl, token);
  try {
    let cursor: string | undefined;
    client.subscribe<Event>(
      { query: CHANGES, variables: { filter: { correlationId: 'nobody' } } },
      {
        next: ({ data }) => {
          cursor ??= data?.jobChanges.cursor;
        },
        error: () => undefined,
        complete: () => undefined,
      },
    );
    return await waitFor(() => cursor, { describe: 'a cursor', timeoutMs: 60_000 });
  } finally {
    await client.dispose();
    await program.kill();
  }
}
