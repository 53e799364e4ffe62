import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { CANCEL_CHANNEL, WATCH_CHANNEL, WORK_CHANNEL } from '../../src/db/channels.ts';
import { createListener, type Listener, type ListenerOptions } from '../../src/db/listener.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { watchLateness } from '../support/lateness.ts';
import { startLossyProxy } from '../support/lossy-proxy.ts';
import { startTestCluster } from '../support/postgres.ts';
import { waitFor } from '../support/wait.ts';

const listeners: Listener[] = [];
let database: TestDatabase;
let other: pg.Client;

function make(options: Partial<ListenerOptions> = {}): Listener {
  const listener = createListener({
    connectionString: database.url,
    channels: [WORK_CHANNEL, WATCH_CHANNEL],
    log: pino({ level: 'silent' }),
    ...options,
  });
  listeners.push(listener);
  return listener;
}

beforeAll(async () => {
  // Notifications stay within a database: other files notify in theirs.
  database = await createTestDatabase();
  other = new pg.Client({ connectionString: database.url });
  await other.connect();
});
afterEach(() => Promise.all(listeners.splice(0).map((listener) => listener.stop())));
afterAll(async () => {
  await other.end();
  await database.drop();
});

test('a listener hears the payload of a notification on its channel and nothing of another', async () => {
  const listener = make();
  const heard: string[] = [];
  const quiet: string[] = [];
  listener.on(WORK_CHANNEL, (payload) => heard.push(payload));
  const unsubscribe = listener.on(WATCH_CHANNEL, (payload) => quiet.push(payload));
  await listener.start();
  expect(listener.mode).toBe('listening');
  unsubscribe();
  await other.query(`notify ${WATCH_CHANNEL}, 'b'`);
  await other.query(`notify ${WORK_CHANNEL}, 'a'`);
  await waitFor(() => heard.length === 1, { describe: 'the notification' });
  expect(heard).toEqual(['a']);
  expect(quiet).toEqual([]);
});

test('a channel that was not declared is refused when somebody subscribes to it', () => {
  expect(() => make().on(CANCEL_CHANNEL, () => undefined)).toThrow(CANCEL_CHANNEL);
});

test('a listener whose connection is killed listens again, and says so before the next notification', async () => {
  const listener = make({ applicationName: 'listener to be killed' });
  const seen: string[] = [];
  listener.onConnect(() => seen.push('connected'));
  listener.on(WORK_CHANNEL, () => seen.push('notified'));
  await listener.start();
  for (let round = 1; round <= 3; round++) {
    await other.query(
      "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'listener to be killed'",
    );
    await waitFor(() => listener.reconnectCount === round, { describe: 'the reconnect' });
    await other.query(`notify ${WORK_CHANNEL}`);
    await waitFor(() => seen.length === 1 + 2 * round, { describe: 'connect and notification' });
  }
  expect(seen).toEqual([
    'connected',
    'connected',
    'notified',
    'connected',
    'notified',
    'connected',
    'notified',
  ]);
});

test('a subscriber that throws does not keep the notification from the others', async () => {
  const listener = make();
  let count = 0;
  listener.on(WORK_CHANNEL, () => {
    throw new Error('mine alone');
  });
  listener.on(WORK_CHANNEL, () => count++);
  await listener.start();
  await other.query(`notify ${WORK_CHANNEL}`);
  await waitFor(() => count === 1, { describe: 'the notification' });
  expect(listener.connected).toBe(true);
});

test('a connection that goes silent without an error is noticed by the ping and replaced', async () => {
  const proxy = await startLossyProxy(database.url);
  try {
    const listener = make({ connectionString: proxy.url, pingIntervalMs: 50, pingTimeoutMs: 1_500 });
    await listener.start();
    proxy.set('freeze');
    await waitFor(() => listener.mode === 'polling', { describe: 'the silence to be noticed' });
    proxy.set('pass');
    await waitFor(() => listener.mode === 'listening', { describe: 'the new connection' });
    expect(listener.reconnectCount).toBeGreaterThanOrEqual(1);
    await listener.stop();
  } finally {
    await proxy.close();
  }
});

test('where notifications never arrive the listener stays with polling, says so once, and tries again later', async () => {
  const proxy = await startLossyProxy(database.url);
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  try {
    proxy.set('deafen');
    const listener = make({ connectionString: proxy.url, pingTimeoutMs: 1_000, refusedRetryMs: 300, log });
    await listener.start();
    expect(listener.mode).toBe('polling');
    expect(lines.filter((line) => line.includes('polling instead'))).toHaveLength(1);
    proxy.set('pass');
    await waitFor(() => listener.mode === 'listening', { describe: 'the later try' });
    await listener.stop();
  } finally {
    await proxy.close();
  }
});

test('a hot standby, which refuses LISTEN, is polled, and listened to once it is promoted', async () => {
  const cluster = await startTestCluster({
    settings: { wal_level: 'replica', wal_retrieve_retry_interval: '50ms' },
  });
  try {
    await writeFile(join(cluster.dataDir, 'cluster', 'standby.signal'), '');
    await cluster.restart('fast');
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
    const listener = make({ connectionString: cluster.url, refusedRetryMs: 100, log });
    await listener.start();
    expect(listener.mode).toBe('polling');
    expect(lines.join()).toContain('This server is a standby');
    const client = new pg.Client({ connectionString: cluster.url });
    await client.connect();
    await client.query('select pg_promote()');
    await client.end();
    await waitFor(() => listener.mode === 'listening', { describe: 'the listener' });
    await listener.stop();
  } finally {
    await cluster.remove();
  }
});

test('without a server start resolves, the listener polls, and stop does not wait for the next try', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  const listener = make({ connectionString: 'postgres://nobody:hidden@127.0.0.1:1/none', log });
  await listener.start();
  expect(listener.connected).toBe(false);
  const lateness = await watchLateness(database.url);
  const startedMs = performance.now();
  await Promise.all([listener.stop(), listener.stop()]);
  const tookMs = performance.now() - startedMs;
  // The try would be a minute away.
  expect(tookMs).toBeLessThan(20_000 + (await lateness.allowanceMs()));
  expect(lines.join()).toContain('database away');
  expect(lines.join()).not.toContain('hidden');
});

test.each([
  ['at once', 0],
  ['when the server was reached and says nothing', 1],
])(
  'a listener that is stopped while it still connects, %s, leaves nothing behind',
  async (_when, openCount) => {
    const proxy = await startLossyProxy(database.url);
    try {
      const lateness = await watchLateness(database.url);
      proxy.set('freeze');
      const listener = make({ connectionString: proxy.url });
      const started = listener.start();
      if (openCount > 0)
        await waitFor(() => proxy.openCount >= openCount, { describe: 'a connection', pollMs: 1 });
      const startedMs = performance.now();
      await listener.stop();
      await started;
      const tookMs = performance.now() - startedMs;
      expect(tookMs).toBeLessThan(1_500 + (await lateness.allowanceMs()));
    } finally {
      await proxy.close();
    }
  },
);

test('the listener never holds a transaction open', async () => {
  const listener = make({ applicationName: 'listener to be watched', pingIntervalMs: 5 });
  await listener.start();
  for (let look = 0; look < 20; look++) {
    const { rows } = await other.query(
      "select state, backend_xmin from pg_stat_activity where application_name = 'listener to be watched' and state like 'idle in%'",
    );
    expect(rows).toEqual([]);
  }
});
