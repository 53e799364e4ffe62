import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { openStream } from '../../support/sse.ts';
import { waitFor } from '../../support/wait.ts';
import { openSocket } from '../../support/ws.ts';

let api: TestApi;
let token: string;

beforeAll(async () => {
  api = await startTestApi();
  token = await api.token(await api.makeTenant(), 'tenant_admin');
});
afterAll(() => api.close());

/** One subscription of each kind that waits for something that never comes. */
const IDLE = {
  jobChanges: 'subscription { jobChanges(filter: { correlationId: "never" }) { __typename } }',
  jobChanged: (id: string) => `subscription { jobChanged(id: "${id}") { status } }`,
};

async function jobId(): Promise<string> {
  const { data } = await api.query(
    token,
    'mutation { enqueueJob(input: { definition: "echo", payload: { message: "x" } }) { ... on EnqueueJobPayload { job { id } } } }',
  );
  return data.enqueueJob.job.id;
}

async function gone(): Promise<void> {
  await waitFor(() => api.server.subscriberCount === 0, { describe: 'the feed to have no member' });
}

describe('a client that leaves while nothing happens', () => {
  it('by complete, by closing, and by vanishing: its subscriptions are gone without any event', async () => {
    const id = await jobId();
    for (const leave of ['complete', 'close', 'terminate'] as const) {
      const socket = openSocket(api.server.graphqlUrl, { token });
      const watching = [socket.subscribe(IDLE.jobChanges), socket.subscribe(IDLE.jobChanged(id))];
      for (const one of watching) await one.next(() => true, 'a first event');
      expect(api.server.subscriberCount).toBe(2);
      if (leave === 'complete') for (const one of watching) one.stop();
      if (leave === 'close') await socket.close();
      if (leave === 'terminate') socket.client.terminate();
      await gone();
      await socket.close();
    }
  });

  it('over SSE too', async () => {
    const streams = [
      await openStream(api.server.graphqlUrl, token, IDLE.jobChanges),
      await openStream(api.server.graphqlUrl, token, IDLE.jobChanged(await jobId())),
    ];
    for (const stream of streams) await stream.next(() => true, 'a first event');
    expect(api.server.subscriberCount).toBe(2);
    for (const stream of streams) stream.stop();
    await gone();
  });
});

describe('a client that leaves before anything was iterated', () => {
  it('over a socket: subscribes and is cut off in the same moment, again and again', async () => {
    for (let nth = 0; nth < 20; nth++) {
      const socket = new WebSocket(api.server.graphqlUrl.replace(/^http/, 'ws'), 'graphql-transport-ws');
      const acknowledged = Promise.withResolvers<void>();
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: { token } })));
      socket.on('message', () => acknowledged.resolve());
      await acknowledged.promise;
      for (let id = 0; id < 5; id++)
        socket.send(
          JSON.stringify({ id: String(id), type: 'subscribe', payload: { query: IDLE.jobChanges } }),
        );
      // Half of them say so first: the answer to `subscribe` is under way by then.
      if (nth % 2 === 0)
        for (let id = 0; id < 5; id++) socket.send(JSON.stringify({ id: String(id), type: 'complete' }));
      socket.terminate();
      await closed;
    }
    await gone();
    // Whatever was still to begin has begun and ended by the time that a later one is through.
    const last = openSocket(api.server.graphqlUrl, { token });
    await last.subscribe(IDLE.jobChanges).next(() => true, 'a first event');
    expect(api.server.subscriberCount).toBe(1);
    await last.close();
    await gone();
  });

  it('over a socket: is cut off while what it asks for is still being looked up', async () => {
    const id = await jobId();
    const query = `subscription { jobLog(jobId: "${id}") { isEnd } }`;
    for (let nth = 0; nth < 10; nth++) {
      const socket = new WebSocket(api.server.graphqlUrl.replace(/^http/, 'ws'), 'graphql-transport-ws');
      const acknowledged = Promise.withResolvers<void>();
      socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: { token } })));
      socket.on('message', () => acknowledged.resolve());
      await acknowledged.promise;
      const closed = new Promise((resolve) => socket.once('close', resolve));
      for (let nr = 0; nr < 20; nr++)
        socket.send(JSON.stringify({ id: String(nr), type: 'subscribe', payload: { query } }));
      // The server reads this behind the others, in the same moment: each of them has begun by then.
      socket.close();
      await closed;
    }
    const last = openSocket(api.server.graphqlUrl, { token });
    await last.subscribe(IDLE.jobChanged(id)).next(() => true, 'a first event');
    await last.close();
    await gone();
  });

  it('over SSE: aborts before the answer has begun', async () => {
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const leaving = new AbortController();
        const request = fetch(api.server.graphqlUrl, {
          method: 'POST',
          signal: leaving.signal,
          headers: {
            accept: 'text/event-stream',
            'content-type': 'application/json',
            connection: 'close',
            authorization: `Bearer ${token}`,
          },
          body: JSON.stringify({ query: IDLE.jobChanges }),
        });
        setImmediate(() => leaving.abort());
        await request.then((response) => response.body?.cancel()).catch(() => undefined);
      }),
    );
    const last = await openStream(api.server.graphqlUrl, token, IDLE.jobChanges);
    await last.next(() => true, 'a first event');
    last.stop();
    await gone();
  });
});
