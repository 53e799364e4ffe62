import { setTimeout as delay } from 'node:timers/promises';
import { CpuMeter } from '../measuring/cpu.ts';
import { type Figure, figureOf, rounded } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { interleavedPairs } from '../measuring/pairs.ts';
import { quantile } from '../measuring/statistics.ts';
import { startCrowd } from '../stage/crowd.ts';
import { INSPECTABLE, Inspected } from '../stage/inspected.ts';
import { noop } from '../stage/noop.ts';
import { startRawBroadcast } from '../stage/raw-broadcast.ts';
import { startServer } from '../stage/server.ts';
import { openStage, type Stage } from '../stage/stage.ts';
import { changeJob } from '../stage/touch.ts';

const GOAL_RATIO = 2;
const GOAL_KIB = 8;
const GOAL_WATCHER_P99_MS = 30;
const GOAL_EXISTING_MS = 1;
const GOAL_NEW_MS = 5;

const WATCHERS = 10;
/** Clients that only bring the server's code and heap to their usual state. */
const WARM_UP_CLIENTS = 500;
const REST_MS = 500;

const ALL = `subscription ($ids: [ID!]) {
  jobChanges(filter: { ids: $ids }) {
    __typename
    ... on JobUpdated { cursor job { id uuid status priority version } }
    ... on FeedReady { cursor isComplete } ... on FeedCheckpoint { cursor } ... on ResyncRequired { reason }
  } }`;
const ONE = `subscription ($id: ID!) { jobChanged(id: $id) { id uuid status priority version } }`;

/** One change to ten thousand subscribers, beside a bare `ws` server that sends the same bytes to as many. */
export const fanOut: Measure = {
  name: 'fan-out',
  title: 'One change to 10,000 WebSocket subscribers, against a raw ws broadcast of the same bytes',
  async run(context) {
    const { effort, say } = context;
    await using stage = await openStage(context);
    const { program, graphqlUrl, token } = await startServer({
      ...stage,
      env: { ...stage.env, ...INSPECTABLE },
    });
    const target = { url: graphqlUrl.replace(/^http/, 'ws'), token };
    const [crowd, rawCrowd, raw] = await Promise.all([startCrowd(), startCrowd(), startRawBroadcast()]);
    const inspected = await Inspected.open(program);
    const count = effort.clients;
    const jobIds = await makeJobs(stage, Math.ceil(count / WATCHERS));
    const figures: Figure[] = [];
    const single = (name: string, unit: Figure['unit'], goal: number | null, value: number): void =>
      void figures.push(figureOf({ name, unit, goal }, [value]));
    try {
      const one = { query: ALL, variables: [{ ids: [jobIds[0]] }], until: '"FeedReady"' };
      await crowd.open(target, Math.min(WARM_UP_CLIENTS, count));
      await crowd.subscribe({ ...one, from: 0, to: count });
      await crowd.close();
      await delay(REST_MS);

      // Memory, and joining a group that is there.
      const before = await inspected.heldMemory();
      const rawBefore = await raw.residentBytes();
      say(`${count} connected in ${rounded((await crowd.open(target, count)) / 1000)} s`);
      const connected = await inspected.heldMemory();
      await crowd.subscribe({ ...one, from: 0, to: 1 });
      const joinedMs = await crowd.subscribe({ ...one, from: 1, to: count });
      say(`${count - 1} joined one group: ${Math.round(((count - 1) / joinedMs) * 1000)} a second`);
      single('subscribe, existing group', 'ms', GOAL_EXISTING_MS, joinedMs / (count - 1));
      await rawCrowd.open({ url: raw.url, token: null }, count);
      await delay(REST_MS);
      const after = await inspected.heldMemory();
      const kib = (from: number, to: number): number => (to - from) / 1024 / count;
      single('server, a subscriber', 'KiB', GOAL_KIB, kib(before.residentBytes, after.residentBytes));
      single('server, a socket alone', 'KiB', null, kib(before.residentBytes, connected.residentBytes));
      single('server, a subscriber, objects', 'KiB', null, kib(before.usedBytes, after.usedBytes));
      single('raw ws, a socket', 'KiB', null, kib(rawBefore, await raw.residentBytes()));

      figures.push(...(await fanOutFigures(stage, jobIds[0] as string)));
      await Promise.all([crowd.close(), rawCrowd.close()]);
      await delay(REST_MS);

      // A thousand groups of ten.
      await crowd.open(target, count);
      const variables = jobIds.map((id) => ({ id }));
      const of = { query: ONE, variables, until: '"jobChanged"' };
      const groups = jobIds.length;
      const newMs = await crowd.subscribe({ ...of, from: 0, to: groups });
      say(`${groups} made a group each: ${Math.round((groups / newMs) * 1000)} a second`);
      single('subscribe, new group', 'ms', GOAL_NEW_MS, newMs / groups);
      const spreadMs = await crowd.subscribe({ ...of, from: groups, to: count });
      single('subscribe, existing groups of ten', 'ms', GOAL_EXISTING_MS, spreadMs / (count - groups));
      await delay(REST_MS);
      figures.push(...(await watcherFigures(stage, jobIds)));
    } finally {
      inspected.close();
      await Promise.all([crowd.stop(), rawCrowd.stop(), raw.stop()]);
      await program.interrupt();
    }
    return figures;

    async function fanOutFigures(on: Stage, jobId: string): Promise<readonly Figure[]> {
      let priority = 1_000;
      let sample = '';
      const ofOurs = async (): Promise<readonly number[]> => {
        await delay(REST_MS);
        priority++;
        const arrivals = await crowd.expect(`"priority":${priority}`, count);
        const committedMs = await changeJob(on, jobId, priority);
        const { atMs, sample: text } = await arrivals();
        sample = text;
        return atMs.map((at) => at - committedMs);
      };
      const ofRaw = async (): Promise<readonly number[]> => {
        await delay(REST_MS);
        const arrivals = await rawCrowd.expect(`"priority":${priority}`, count);
        const startedMs = await raw.broadcast(sample);
        return (await arrivals()).atMs.map((at) => at - startedMs);
      };
      for (let round = 0; round < 3; round++) {
        await ofOurs();
        await ofRaw();
      }
      const cpu = new CpuMeter();
      await cpu.watch('server', program.pid);
      await cpu.watch('raw', raw.pid);
      const pairs = await interleavedPairs(effort.pairs, ofOurs, ofRaw, ({ a, b }, index) =>
        say(`pair ${index + 1}: ${shown(a)} against ${shown(b)} ms`),
      );
      say(`CPU seconds: ${await cpu.describe()}; ${sample.length} bytes a message`);
      const each = (share: number, of: 'a' | 'b'): number[] => pairs.map((pair) => quantile(pair[of], share));
      const ratio = (share: number): number[] =>
        pairs.map(({ a, b }) => quantile(a, share) / quantile(b, share));
      return [
        figureOf({ name: 'one to all, p50, of raw', unit: '×', goal: GOAL_RATIO }, ratio(0.5)),
        figureOf({ name: 'one to all, p99, of raw', unit: '×', goal: GOAL_RATIO }, ratio(0.99)),
        figureOf({ name: 'one to all, from commit, p50', unit: 'ms', goal: null }, each(0.5, 'a')),
        figureOf({ name: 'one to all, from commit, p99', unit: 'ms', goal: null }, each(0.99, 'a')),
        figureOf({ name: 'raw ws, p50', unit: 'ms', goal: null }, each(0.5, 'b')),
        figureOf({ name: 'raw ws, p99', unit: 'ms', goal: null }, each(0.99, 'b')),
      ];
    }

    async function watcherFigures(on: Stage, ids: readonly string[]): Promise<readonly Figure[]> {
      const latencies: number[] = [];
      const rounds = effort.quick ? 10 : 200;
      for (let round = 0; round < rounds + 5; round++) {
        await delay(20 + (round % 7) * 10);
        const arrivals = await crowd.expect(`"priority":${10_000 + round}`, WATCHERS);
        const committedMs = await changeJob(on, ids[(round * 37) % ids.length] as string, 10_000 + round);
        const { atMs } = await arrivals();
        if (round >= 5) latencies.push(...atMs.map((at) => at - committedMs));
      }
      const about = { unit: 'ms', goal: null } as const;
      const name = `commit → ${WATCHERS} watchers of one job among ${count}`;
      return [
        figureOf({ ...about, name: `${name}, p50` }, latencies),
        figureOf({ ...about, name: `${name}, p99`, goal: GOAL_WATCHER_P99_MS }, latencies, (all) =>
          quantile(all, 0.99),
        ),
      ];
    }
  },
};

function shown(latencies: readonly number[]): string {
  return `${rounded(quantile(latencies, 0.5))} / ${rounded(quantile(latencies, 0.99))}`;
}

/** Jobs that wait, since nobody works here. */
async function makeJobs({ queue, tenantId }: Stage, count: number): Promise<readonly string[]> {
  const made = await queue.enqueueMany(
    tenantId,
    Array.from({ length: count }, (_, n) => ({ definitionKey: noop.key, payload: { n } })),
  );
  return made.map((result) => (result as { readonly id: string }).id);
}
