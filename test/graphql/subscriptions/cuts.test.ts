import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { waitFor } from '../../support/wait.ts';

// Clients that speak the protocol by hand, so that a test says after which frame a socket breaks or is not
// read any more.

let api: TestApi;
let tenantId: string;
let token: string;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  token = await api.token(tenantId, 'member');
});
afterAll(() => api.close());

const CHANGES = `subscription ($key: String, $after: String) {
  jobChanges(filter: { correlationId: $key }, after: $after) { __typename
    ... on JobUpdated { cursor job { uuid version payload } } ... on FeedReady { cursor } ... on FeedCheckpoint { cursor }
    ... on JobRemoved { cursor } ... on JobLeft { cursor } } }`;

interface FeedFrame {
  readonly __typename: string;
  readonly cursor?: string;
  readonly job?: { readonly uuid: string; readonly version: string } | null;
}

/**
 * One socket with one subscription. Breaks without a word after N events, which are the last that its owner
 * sees.
 */
class Watcher {
  readonly events: FeedFrame[] = [];
  readonly socket: WebSocket;
  cursor: string | null;
  /** The server's last word, when it ended the stream with an error. */
  error: { readonly code: string; readonly cursor?: string } | null = null;

  constructor(key: string, after: string | null, breakAfter = Number.POSITIVE_INFINITY) {
    this.cursor = after;
    this.socket = new WebSocket(api.server.graphqlUrl.replace(/^http/, 'ws'), 'graphql-transport-ws');
    const say = (message: object): void => this.socket.send(JSON.stringify(message));
    this.socket.on('open', () => say({ type: 'connection_init', payload: { token } }));
    this.socket.on('message', (data) => {
      const message = JSON.parse(String(data));
      if (message.type === 'connection_ack')
        say({ id: '1', type: 'subscribe', payload: { query: CHANGES, variables: { key, after } } });
      const [error] = message.payload?.errors ?? (message.type === 'error' ? message.payload : []);
      if (error !== undefined) this.error = error.extensions;
      const event = message.payload?.data?.jobChanges;
      if (event == null || this.events.length >= breakAfter) return;
      this.events.push(event);
      this.cursor = event.cursor ?? this.cursor;
      if (this.events.length >= breakAfter) this.socket.terminate();
    });
    this.socket.on('error', () => undefined);
  }

  get isClosed(): boolean {
    return this.socket.readyState === WebSocket.CLOSED;
  }

  has(typename: string): boolean {
    return this.events.some((event) => event.__typename === typename);
  }

  async until(typename: string): Promise<void> {
    await waitFor(() => this.has(typename), {
      describe: () => `${typename}; got ${this.events.map((event) => event.__typename).slice(-20)}`,
    });
  }

  async close(): Promise<void> {
    this.socket.terminate();
    await waitFor(() => this.isClosed, { describe: 'the socket to be closed' });
  }
}

async function insertJobs(key: string, count: number, sizeBytes: number): Promise<string[]> {
  const { rows } = await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, correlation_id, payload)
     select $1, d.id, $2, jsonb_build_object('message', repeat('x', $4)) from millrace.job_definitions d, generate_series(1, $3)
     where d.key = 'echo' returning id`,
    [tenantId, key, count, sizeBytes],
  );
  return rows.map((row) => row.id);
}

const touch = (key: string) =>
  api.superuser.query('update millrace.jobs set priority = priority + 1 where correlation_id = $1', [key]);

async function versionsOf(key: string): Promise<Map<string, number>> {
  const { rows } = await api.superuser.query(
    'select id, version from millrace.jobs where correlation_id = $1',
    [key],
  );
  return new Map(rows.map((row) => [row.id, Number(row.version)]));
}

/** Notes what was seen; versions of a job must not fall, whatever happened between. */
function note(seen: Map<string, number>, events: readonly FeedFrame[]): void {
  for (const { job } of events) {
    if (job == null) continue;
    expect(Number(job.version)).toBeGreaterThanOrEqual(seen.get(job.uuid) ?? 0);
    seen.set(job.uuid, Number(job.version));
  }
}

test('a socket that breaks after every k-th event of one transaction over 10 jobs misses none, for each k', async () => {
  const rounds = Array.from({ length: 11 }, async (_, index) => {
    const breakAfter = index + 1;
    const key = `cut-${randomUUID()}`;
    await insertJobs(key, 10, 1);
    const first = new Watcher(key, null);
    await first.until('FeedReady');
    const { cursor } = first;
    await first.close();
    await touch(key);
    const seen = new Map<string, number>();
    // Over and over, until what is left comes whole: the checkpoint says that it has.
    let after = cursor;
    let sockets = 0;
    for (let isCaughtUp = false; !isCaughtUp; sockets++) {
      const watcher = new Watcher(key, after, breakAfter);
      await waitFor(() => watcher.isClosed || watcher.has('FeedCheckpoint'), {
        describe: () => `the break after ${breakAfter}; got ${JSON.stringify(watcher.events).slice(0, 500)}`,
      });
      isCaughtUp = watcher.has('FeedCheckpoint');
      note(seen, watcher.events);
      after = watcher.cursor;
      await watcher.close();
    }
    expect(seen).toEqual(await versionsOf(key));
    return sockets;
  });
  const sockets = await Promise.all(rounds);
  // With one event a socket each of the ten took one, and the checkpoint another.
  expect(sockets[0]).toBeGreaterThanOrEqual(10);
});

test('a client that stalls and comes back has the final version of every job, and was not sent all in between', async () => {
  const key = `stall-${randomUUID()}`;
  const jobCount = 300;
  await insertJobs(key, jobCount, 9_000);
  const watcher = new Watcher(key, null);
  await watcher.until('FeedReady');
  const seen = new Map<string, number>();
  watcher.socket.pause();
  // 2.7 MB a round: more than the kernel takes for a socket that is not read.
  const roundCount = 8;
  for (let round = 0; round < roundCount; round++) await touch(key);
  const versions = await versionsOf(key);
  watcher.socket.resume();
  const watchers = [watcher];
  const isCurrent = (): boolean => {
    const newest = watchers.at(-1);
    // Given up for being too slow: it comes back with the cursor that it was sent, as it would after any
    // break.
    if (newest?.error?.code === 'SLOW_CONSUMER') watchers.push(new Watcher(key, newest.error.cursor ?? null));
    seen.clear();
    for (const { events } of watchers) note(seen, events);
    return [...versions].every(([id, version]) => seen.get(id) === version);
  };
  await waitFor(isCurrent, { describe: 'the final versions', pollMs: 50 });
  const updates = watchers.flatMap(({ events }) => events).filter(({ job }) => job != null).length;
  expect(updates).toBeLessThan(jobCount * (roundCount + 1));
  await Promise.all(watchers.map((one) => one.close()));
});
