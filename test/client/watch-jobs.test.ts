import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WatchStatus } from '../../src/client/index.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { startCutProxy } from '../support/cut-proxy.ts';
import { waitFor } from '../support/wait.ts';
import { clientOf, collect, movesOf } from './watching.ts';

let api: TestApi;
let tenantId: string;
let token: string;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  token = await api.token(tenantId, 'tenant_admin');
});
afterAll(() => api.close());

const echo = (correlationId: string) => ({ definition: 'echo', payload: { message: 'hi' }, correlationId });

describe.each(['ws', 'sse'] as const)('watchJobs over %s', (transport) => {
  const open = (url = api.server.graphqlUrl) => clientOf(api, { token: () => token, transport, url });

  it('gives the state, FeedReady and every change, and leaving the loop unsubscribes at once', async () => {
    const client = open();
    const correlationId = `life-${transport}`;
    const moves = movesOf(api, tenantId);
    const { job } = await client.enqueue(echo(correlationId));
    const seen: string[] = [];
    for await (const event of client.watchJobs({ correlationId })) {
      const status = event.__typename === 'JobUpdated' ? event.job?.status : undefined;
      seen.push(status ?? event.__typename);
      if (event.__typename === 'FeedReady') await moves.run(job.uuid);
      if (status === 'RUNNING') await moves.finish(job.uuid);
      if (status === 'SUCCEEDED') await moves.remove(job.uuid);
      if (event.__typename === 'JobRemoved') break;
    }
    const order = ['QUEUED', 'FeedReady', 'RUNNING', 'SUCCEEDED', 'JobRemoved'];
    expect(seen.filter((name) => order.includes(name))).toEqual(order);
    await waitFor(() => api.server.subscriberCount === 0, { describe: 'no subscriber' });
    client.close();
  });

  it('is live again, as all others of its client, once one of them has found the restarted server', async () => {
    // Each waits for a time of its own, up to a minute: the one that waits the shortest is soon there.
    const backoff = { firstMs: 60_000, maxMs: 60_000 };
    const client = clientOf(api, { token: () => token, transport, backoff });
    const streams = Array.from({ length: 40 }, (_, index) => {
      const watch = client.watchJobs({ correlationId: `again-${index}` });
      collect(watch);
      return watch;
    });
    const areAll = (state: WatchStatus['state']) =>
      waitFor(() => streams.every(({ status }) => status.state === state), {
        describe: `all streams to be ${state}`,
      });
    await areAll('live');
    await api.restart(() => areAll('waiting'));
    const nextTries = streams.map(({ status }) => status.retryAtMs ?? 0);
    await areAll('live');
    const nowMs = Date.now();
    // By themselves, all of them would have waited to the end.
    const waitedToTheEnd = nextTries.filter((retryAtMs) => retryAtMs <= nowMs).length;
    expect(waitedToTheEnd / streams.length).toBeLessThan(0.75);
    client.close();
  });

  it('goes on from its cursor after the server was restarted, and nobody who reads notices', async () => {
    const client = open();
    const correlationId = `restart-${transport}`;
    const statuses: string[] = [];
    const watch = client.watchJobs({ correlationId }, { onStatus: ({ state }) => statuses.push(state) });
    const seen = collect(watch);
    await waitFor(() => seen.values.some((event) => event.__typename === 'FeedReady'), {
      describe: 'FeedReady',
    });
    const ids: string[] = [];
    await api.restart(async () => {
      for (let i = 0; i < 3; i++) {
        const { rows } = await api.superuser.query(
          `insert into millrace.jobs (tenant_id, definition_id, payload, correlation_id, max_attempts)
           select $1, id, '{"message":"meanwhile"}', $2, 3 from millrace.job_definitions where key = 'echo' returning id`,
          [tenantId, correlationId],
        );
        ids.push(rows[0].id);
      }
    });
    const jobs = () =>
      seen.values.flatMap((event) => (event.__typename === 'JobUpdated' ? (event.job?.uuid ?? []) : []));
    await waitFor(() => ids.every((id) => jobs().includes(id)), { describe: 'the jobs made meanwhile' });
    await waitFor(() => seen.values.at(-1)?.__typename !== 'FeedReady' && watch.status.state === 'live', {
      describe: 'live',
    });
    expect(seen.values.filter((event) => event.__typename === 'FeedReady')).toHaveLength(1);
    expect(statuses.slice(0, 2)).toEqual(['connecting', 'live']);
    expect(statuses).toContain('waiting');
    // Another watch may take over where this one was.
    expect(watch.cursor).toEqual(expect.any(String));
    await watch.return();
    const later = collect(client.watchJobs({ correlationId }, { after: watch.cursor }));
    await waitFor(() => later.values.some((event) => event.__typename === 'FeedCheckpoint'), {
      describe: 'a checkpoint',
    });
    expect(later.values.some((event) => event.__typename === 'FeedReady')).toBe(false);
    client.close();
    await waitFor(() => later.ended() !== null, { describe: 'its end' });
    expect(later.ended()).toMatchObject({ code: 'CLOSED' });
  });

  it('gives a silent connection up and goes on over another', async () => {
    const proxy = await startCutProxy(api.server.graphqlUrl);
    const client = clientOf(api, {
      token,
      transport,
      url: proxy.url,
      silenceMs: 1_000,
      backoff: { firstMs: 50, maxMs: 200 },
    });
    const correlationId = `silent-${transport}`;
    const watch = client.watchJobs({ correlationId });
    const seen = collect(watch);
    await waitFor(() => seen.values.some((event) => event.__typename === 'FeedReady'), {
      describe: 'FeedReady',
    });
    proxy.set('freeze');
    await clientOf(api, { token }).enqueue(echo(correlationId));
    await waitFor(() => watch.status.state === 'waiting', { describe: 'the connection to be given up' });
    proxy.set('pass');
    await waitFor(() => seen.values.some((event) => event.__typename === 'JobUpdated'), {
      describe: 'the job',
    });
    client.close();
    await proxy.close();
  });
});
