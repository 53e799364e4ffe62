import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { HTTP_TIMES } from '../../../src/http/times.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { waitFor } from '../../support/wait.ts';
import { openSocket, type Received } from '../../support/ws.ts';

const JOBS = 40;
const CHANGES = `subscription Changes($after: String) {
  jobChanges(after: $after) {
    __typename
    ... on JobUpdated { cursor job { id version payload } }
    ... on JobRemoved { cursor }
    ... on FeedReady { cursor }
    ... on FeedCheckpoint { cursor }
  }
}`;

let api: TestApi;
let token: string;
let tenantId: string;

beforeAll(async () => {
  api = await startTestApi({
    // More than one: the other client reads in this same process, and must never be taken for slow.
    env: { MILLRACE_SLOW_CONSUMER_SECONDS: '3' },
    times: { ...HTTP_TIMES, ssePingMs: 200 },
  });
  tenantId = await api.makeTenant();
  token = await api.token(tenantId, 'member');
  // 192 KB each when sent: a round of changes is more than a socket may leave unsent, two are more than the
  // kernel takes.
  await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, payload, scheduled_for)
     select $1, d.id, jsonb_build_object('message', repeat(md5(n::text), 6000)), now() + interval '1 hour'
     from millrace.job_definitions d, generate_series(1, $2::integer) n where d.key = 'echo'`,
    [tenantId, JOBS],
  );
});
afterAll(() => api.close());

async function changeAll(): Promise<void> {
  await api.superuser.query('update millrace.jobs set priority = priority % 100 + 1 where tenant_id = $1', [
    tenantId,
  ]);
}

async function truth(): Promise<Map<string, string>> {
  const { rows } = await api.superuser.query('select id, version from millrace.jobs where tenant_id = $1', [
    tenantId,
  ]);
  return new Map(rows.map(({ id, version }) => [String(id), String(version)]));
}

/** What a client knows by what it was sent: of each job the newest version, by its UUID. */
function known(received: readonly Received[]): Map<string, string> {
  const versions = new Map<string, string>();
  for (const { data } of received) {
    const event = data?.jobChanges;
    if (event?.__typename !== 'JobUpdated' || event.job === null) continue;
    const id = String(event.job.id).split(':').at(-1) ?? '';
    expect(BigInt(event.job.version)).toBeGreaterThanOrEqual(BigInt(versions.get(id) ?? 0));
    versions.set(id, String(event.job.version));
  }
  return versions;
}

function knowsAll(received: readonly Received[], versions: ReadonlyMap<string, string>): boolean {
  const has = known(received);
  return [...versions].every(([id, version]) => has.get(id) === version);
}

function isReady({ data }: Received): boolean {
  return data?.jobChanges?.__typename === 'FeedReady';
}

interface Message {
  readonly id?: string;
  readonly type: string;
  readonly payload?: Received;
}

/** A client that can stop reading. */
async function openStalling(): Promise<{
  readonly socket: WebSocket;
  readonly messages: readonly Message[];
  readonly closeCode: () => number | null;
}> {
  const messages: Message[] = [];
  let closeCode: number | null = null;
  const socket = new WebSocket(api.server.graphqlUrl.replace(/^http/, 'ws'), 'graphql-transport-ws');
  socket.on('close', (code) => {
    closeCode = code;
  });
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: { token } })));
  await waitFor(() => messages.some(({ type }) => type === 'connection_ack'), { describe: 'the ack' });
  socket.send(JSON.stringify({ id: 'slow', type: 'subscribe', payload: { query: CHANGES } }));
  return { socket, messages, closeCode: () => closeCode };
}

function resultsOf(messages: readonly Message[]): Received[] {
  return messages.flatMap(({ type, payload }) => (type === 'next' && payload !== undefined ? [payload] : []));
}

test('a WebSocket client that reads nothing is given up with SLOW_CONSUMER and 1013, disturbs nobody, and goes on by cursor without a gap', async () => {
  const other = openSocket(api.server.graphqlUrl, { token });
  const watching = other.subscribe(CHANGES);
  await watching.next(isReady, 'the state');
  const { socket, messages, closeCode } = await openStalling();
  await waitFor(() => resultsOf(messages).some(isReady), {
    describe: 'the state, to the one that will stall',
  });
  expect(api.server.subscriberCount).toBe(2);

  socket.pause();
  await waitFor(
    async () => {
      await changeAll();
      const versions = await truth();
      // Meanwhile, and each time: a client that reads is sent every change.
      await waitFor(() => knowsAll(watching.received, versions), {
        describe: () =>
          `the other one to be sent the change; it ended with ${JSON.stringify(watching.ended())}`,
      });
      return api.server.subscriberCount === 1;
    },
    { describe: 'the one that reads nothing to be given up' },
  );
  // What it has not been sent: nobody would have room for it.
  await changeAll();

  socket.resume();
  await waitFor(() => closeCode() !== null, { describe: 'it to read that it was closed' });
  expect(closeCode()).toBe(1013);
  expect(messages.at(-1)).toEqual({ id: 'slow', type: 'complete' });
  const last = messages.at(-2)?.payload;
  expect(last?.errors?.[0]?.extensions).toMatchObject({ code: 'SLOW_CONSUMER', cursor: expect.any(String) });
  const before = resultsOf(messages).slice(0, -1);
  const versions = await truth();
  expect(knowsAll(before, versions)).toBe(false);
  // The cursor that it is sent is that of the last event it was sent, which stands before it.
  const cursor: string = last?.errors?.[0]?.extensions.cursor;
  expect(before.at(-1)?.data.jobChanges.cursor).toBe(cursor);

  const back = openSocket(api.server.graphqlUrl, { token });
  const resumed = back.subscribe(CHANGES, { after: cursor });
  await waitFor(() => knowsAll([...before, ...resumed.received], versions), {
    describe: 'it to know the truth',
  });
  await waitFor(() => knowsAll(watching.received, versions), {
    describe: 'the other one to know it as well',
  });
  expect(resumed.received.some(isReady)).toBe(false);
  expect([watching.ended(), other.closeCode()]).toEqual([null, null]);
  await back.close();
  await other.close();
  await waitFor(() => api.server.subscriberCount === 0, { describe: 'nobody to be left' });
});

test('an event stream whose client reads nothing is given up, and its connection is cut when it still takes nothing', async () => {
  const { hostname, port } = new URL(api.server.graphqlUrl);
  const body = JSON.stringify({ query: CHANGES });
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  socket.write(
    `POST /graphql HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\naccept: text/event-stream\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  await waitFor(() => api.server.subscriberCount === 1, { describe: 'the stream to be open' });
  // Nobody listens for its data, so nothing is read but what a socket reads by itself.
  await waitFor(
    async () => {
      await changeAll();
      return api.server.subscriberCount === 0;
    },
    { describe: 'the one that reads nothing to be given up' },
  );
  // Twice the seconds that it was given, of which some are gone: the timer of the cut is due before this one.
  const cutByMs = performance.now() + 4_000;
  await waitFor(() => performance.now() > cutByMs, { describe: 'the cut to be due' });
  const read = await text(socket).catch((error: NodeJS.ErrnoException) => error.code);
  // What it would have read at last, had it still been held for it.
  expect(read).not.toContain('SLOW_CONSUMER');
});
