import { WATCH_CHANNEL } from '../../src/db/channels.ts';
import { createListener } from '../../src/db/listener.ts';
import { feedTablesOf } from '../../src/domains/domain.ts';
import { registeredDomains } from '../../src/domains/registered.ts';
import { createFeed } from '../../src/events/feed.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { CpuMeter } from '../measuring/cpu.ts';
import { type Figure, figureOf, rounded } from '../measuring/figure.ts';
import type { Measure, MeasureContext } from '../measuring/measure.ts';
import { interleavedPairs } from '../measuring/pairs.ts';
import { startBareYoga } from '../stage/bare-yoga.ts';
import { openKeepAliveClient } from '../stage/keep-alive.ts';
import { noop } from '../stage/noop.ts';
import { startServer } from '../stage/server.ts';
import { openStage, type Stage } from '../stage/stage.ts';
import { type BareWriters, callsPerSecond, openBareWriters } from '../stage/writers.ts';

const CALLERS = 16;
const BULK_JOBS = 1_000;
const MUTATION = `mutation ($input: EnqueueJobInput!) {
  enqueueJob(input: $input) { __typename ... on EnqueueJobPayload { jobId isNew } }
}`;
const BARE_MUTATION =
  'mutation ($input: EnqueueInput!) { enqueueJob(input: $input) { __typename jobId isNew } }';

/** Jobs a second that producers put in, against plain SQL on a plain table of the same server. */
export const enqueue: Measure = {
  name: 'enqueue',
  title: 'Jobs a second put in: one by one, in bulk, through GraphQL, and with the feed on',
  async run(context) {
    await using stage = await openStage(context);
    await using bare = await openBareWriters(
      stage.databaseUrl,
      CALLERS,
      stage.tenantId,
      stage.definitionIdOf(noop.key),
    );
    return [
      ...(await oneByOne(context, stage, bare)),
      ...(await inBulk(context, stage, bare)),
      ...(await withFeed(context, stage)),
      ...(await throughGraphql(context, stage)),
    ];
  },
};

function single(stage: Stage, seconds: number): Promise<number> {
  return callsPerSecond(CALLERS, seconds, (_caller, n) =>
    stage.queue.enqueue(stage.tenantId, [{ definitionKey: noop.key, payload: { n }, createdBy: 'bench' }]),
  );
}

async function oneByOne({ effort, say }: MeasureContext, stage: Stage, bare: BareWriters): Promise<Figure[]> {
  const ours = (): Promise<number> => single(stage, effort.runSeconds);
  const theirs = (): Promise<number> =>
    callsPerSecond(CALLERS, effort.runSeconds, (caller, n) => bare.insertOne(caller, { n }));
  const cpu = new CpuMeter();
  await cpu.watch('postgres', stage.postgresPid);
  const ratios = await compared(effort.pairs, ours, theirs, say, '16 callers');
  say(`CPU seconds: ${await cpu.describe()}`);
  return [...atLeast('enqueue by 16 callers ÷ single INSERTs on 16 connections', 1.5, ratios)];
}

async function inBulk({ effort, say }: MeasureContext, stage: Stage, bare: BareWriters): Promise<Figure[]> {
  const payloads = Array.from({ length: BULK_JOBS }, (_, n) => ({ n }));
  const inputs = payloads.map((payload) => ({ definitionKey: noop.key, payload, createdBy: 'bench' }));
  const thousands = async (call: () => Promise<unknown>): Promise<number> =>
    (await callsPerSecond(1, effort.runSeconds, call)) * BULK_JOBS;
  const ours = (): Promise<number> => thousands(() => stage.queue.enqueueMany(stage.tenantId, inputs));
  const ratios = await compared(
    effort.pairs,
    ours,
    () => thousands(() => bare.insertMany(payloads)),
    say,
    'bulk',
  );
  return [...atLeast('enqueueMany of 1,000 ÷ one INSERT of 1,000', 0.7, ratios)];
}

/** With the feed on, a server's tailer reads every change while the writers write. */
async function withFeed({ effort, say }: MeasureContext, stage: Stage): Promise<Figure[]> {
  const log = createLogger({ logLevel: 'warn', logFormat: 'json' }, 'bench');
  const on = async (): Promise<number> => {
    const listener = createListener({ connectionString: stage.databaseUrl, channels: [WATCH_CHANNEL], log });
    await listener.start();
    const feed = createFeed({
      tables: feedTablesOf(registeredDomains({ echo: true })),
      database: stage.database,
      listener,
      log,
    });
    feed.start();
    try {
      return await single(stage, effort.runSeconds);
    } finally {
      await feed.stop();
      await listener.stop();
    }
  };
  const ratios = await compared(
    effort.pairs,
    on,
    () => single(stage, effort.runSeconds),
    say,
    'feed on / off',
  );
  return [...atLeast('16 writers with the feed on ÷ off', 0.9, ratios)];
}

async function throughGraphql({ effort, say }: MeasureContext, stage: Stage): Promise<Figure[]> {
  const server = await startServer(stage);
  const yoga = await startBareYoga(stage.databaseUrl, stage.tenantId, stage.definitionIdOf(noop.key));
  try {
    using ours = openKeepAliveClient(server.graphqlUrl, server.token, CALLERS);
    using theirs = openKeepAliveClient(yoga.url, null, CALLERS);
    const rate = (send: (input: object) => Promise<Record<string, unknown>>): Promise<number> =>
      callsPerSecond(CALLERS, effort.runSeconds, async (_caller, n) => {
        const { enqueueJob } = await send({ definition: noop.key, payload: { n } });
        if ((enqueueJob as { isNew?: boolean }).isNew !== true)
          throw new Error(`Not enqueued: ${JSON.stringify(enqueueJob)}`);
      });
    const cpu = new CpuMeter();
    await cpu.watch('server', server.program.pid);
    await cpu.watch('bare yoga', yoga.pid);
    await cpu.watch('postgres', stage.postgresPid);
    const ratios = await compared(
      effort.pairs,
      () => rate((input) => ours.send(MUTATION, { input })),
      () => rate((input) => theirs.send(BARE_MUTATION, { input })),
      say,
      'GraphQL',
    );
    say(`CPU seconds: ${await cpu.describe()}`);
    return [...atLeast('GraphQL mutation ÷ bare Yoga mutation with the INSERT', 0.6, ratios)];
  } finally {
    await yoga.stop();
    await server.program.interrupt();
  }
}

interface Rates {
  readonly ratios: readonly number[];
  readonly ours: readonly number[];
}

async function compared(
  pairs: number,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
  say: (line: string) => void,
  what: string,
): Promise<Rates> {
  const done = await interleavedPairs(pairs, ours, theirs, ({ a, b }) =>
    say(`${what}: ${rounded(a)} jobs/s, against ${rounded(b)}`),
  );
  return { ratios: done.map(({ a, b }) => a / b), ours: done.map(({ a }) => a) };
}

/** A goal of at least so much, given as the inverse: a figure's goal is the most it may be. */
function atLeast(name: string, goal: number, { ratios, ours }: Rates): Figure[] {
  return [
    figureOf({ name, unit: '×', goal: null }, ratios),
    figureOf(
      {
        name: `the inverse (the goal is at least ${goal} ×)`,
        unit: '×',
        goal: Number((1 / goal).toFixed(3)),
      },
      ratios.map((ratio) => 1 / ratio),
    ),
    figureOf({ name: 'jobs put in', unit: 'jobs/s', goal: null }, ours),
  ];
}
