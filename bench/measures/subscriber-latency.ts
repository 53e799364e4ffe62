import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { waitFor } from '../../test/support/wait.ts';
import { machineMs } from '../measuring/clock.ts';
import { CpuMeter } from '../measuring/cpu.ts';
import { figureOf } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { quantile } from '../measuring/statistics.ts';
import { noop } from '../stage/noop.ts';
import { unevenPauses } from '../stage/pace.ts';
import { startServer } from '../stage/server.ts';
import { openStage } from '../stage/stage.ts';

const GOAL_P50_MS = 15;
const WARM_UP = 50;
const QUERY = `subscription {
  jobChanges { __typename ... on JobUpdated { job { uuid status } } ... on FeedReady { isComplete } } }`;

interface Message {
  readonly data?: {
    readonly jobChanges: { readonly __typename: string; readonly job?: { readonly uuid: string } | null };
  } | null;
}

/**
 * From the writer's knowledge of its commit to the event in a client, over a real WebSocket of the server
 * process.
 */
export const subscriberLatency: Measure = {
  name: 'subscriber-latency',
  title: 'Commit to subscriber over a WebSocket, idle',
  async run(context) {
    const { effort, say } = context;
    await using stage = await openStage(context);
    const { program, graphqlUrl, token } = await startServer(stage);
    const client = createClient({
      url: graphqlUrl.replace(/^http/, 'ws'),
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${token}` },
      retryAttempts: 0,
    });
    try {
      const arrivedMs = new Map<string, number>();
      let isReady = false;
      let failure: unknown = null;
      client.subscribe<Message['data']>(
        { query: QUERY },
        {
          next: (message) => {
            const atMs = machineMs();
            const event = (message as Message).data?.jobChanges;
            if (event?.__typename === 'FeedReady') isReady = true;
            if (event?.job) arrivedMs.set(event.job.uuid, atMs);
          },
          error: (error) => {
            failure = error;
          },
          complete: () => undefined,
        },
      );
      await waitFor(() => isReady, { describe: () => `the subscription; ${JSON.stringify(failure)}` });
      const cpu = new CpuMeter();
      await cpu.watch('server', program.pid);
      await cpu.watch('postgres', stage.postgresPid);
      const pause = unevenPauses();
      const fromCall: number[] = [];
      const fromCommit: number[] = [];
      for (let n = 0; n < WARM_UP + effort.samples; n++) {
        await pause();
        const askedMs = machineMs();
        const [result] = await stage.queue.enqueue(stage.tenantId, [
          { definitionKey: noop.key, payload: { n } },
        ]);
        const committedMs = machineMs();
        const id = (result as { readonly id: string }).id;
        const atMs = await waitFor(() => arrivedMs.get(id), { describe: `the event of job ${n}`, pollMs: 5 });
        if (n < WARM_UP) continue;
        fromCall.push(atMs - askedMs);
        fromCommit.push(atMs - committedMs);
      }
      say(`CPU seconds: ${await cpu.describe()}`);
      const p99 = (samples: readonly number[]): number => quantile(samples, 0.99);
      return [
        figureOf({ name: 'commit → subscriber, p50', unit: 'ms', goal: GOAL_P50_MS }, fromCommit),
        figureOf({ name: 'commit → subscriber, p99', unit: 'ms', goal: null }, fromCommit, p99),
        figureOf({ name: 'enqueue called → subscriber, p50', unit: 'ms', goal: null }, fromCall),
      ];
    } finally {
      await client.dispose();
      await program.interrupt();
    }
  },
};
