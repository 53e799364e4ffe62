import pg from 'pg';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { CANCEL_CHANNEL, WATCH_CHANNEL, WORK_CHANNEL } from '../../src/db/channels.ts';
import { createNotifier, type Notifier, type NotifierOptions } from '../../src/db/notifier.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait.ts';

const heard: { channel: string; payload: string; atMs: number }[] = [];
const notifiers: Notifier[] = [];
let database: TestDatabase;
let ear: pg.Client;

function notifier(options: Partial<NotifierOptions> = {}): Notifier {
  const log = pino({ level: 'silent' });
  const made = createNotifier({ connectionString: database.url, log, ...options });
  notifiers.push(made);
  return made;
}

beforeAll(async () => {
  // Notifications stay within a database: other files notify in theirs.
  database = await createTestDatabase();
  ear = new pg.Client({ connectionString: database.url });
  await ear.connect();
  ear.on('notification', ({ channel, payload }) =>
    heard.push({ channel, payload: payload ?? '', atMs: performance.now() }),
  );
  for (const channel of [WORK_CHANNEL, WATCH_CHANNEL, CANCEL_CHANNEL]) await ear.query(`listen ${channel}`);
});

afterEach(async () => {
  await Promise.all(notifiers.splice(0).map((made) => made.close()));
  await ear.query('select 1');
  heard.length = 0;
});

afterAll(async () => {
  await ear.end();
  await database.drop();
});

test('the first notification is sent at once and heard with its payload', async () => {
  const ours = notifier({ mergeMs: 60_000, burst: 1 });
  ours.notify(CANCEL_CHANNEL, 'worker-1');
  await waitFor(() => heard.length === 1, { describe: 'the notification' });
  expect(heard[0]).toMatchObject({ channel: CANCEL_CHANNEL, payload: 'worker-1' });
});

test('a thousand notifications of one turn become one statement, and every channel and payload among them is heard', async () => {
  const ours = notifier();
  for (let i = 0; i < 1_000; i++) {
    ours.notify(WATCH_CHANNEL);
    ours.notify(WORK_CHANNEL);
    ours.notify(CANCEL_CHANNEL, `worker-${i % 3}`);
  }
  await ours.close();
  await waitFor(() => new Set(heard.map(({ channel, payload }) => channel + payload)).size === 5, {
    describe: 'five kinds of notification',
  });
  expect(ours.sentCount).toBe(1);
  expect(ours.lostCount).toBe(0);
});

test('notifications that go on for a while are heard at once at first, then about every 10 ms and not more often', async () => {
  const ours = notifier();
  ours.notify(WATCH_CHANNEL);
  await waitFor(() => heard.length > 0, { describe: 'the first notification' });
  const startedMs = performance.now();
  const tookMs = () => performance.now() - startedMs;
  while (tookMs() < 300 || (ours.sentCount <= 3 && tookMs() < 30_000)) {
    ours.notify(WATCH_CHANNEL);
    await new Promise(setImmediate);
  }
  await ours.close();
  expect(ours.sentCount).toBeGreaterThan(3);
  expect(ours.sentCount).toBeLessThanOrEqual(15 + tookMs() / 10);
});

test('close sends what is still pending, and a notification after it is counted as lost', async () => {
  const ours = notifier({ mergeMs: 60_000, burst: 1 });
  ours.notify(WATCH_CHANNEL);
  ours.notify(WORK_CHANNEL);
  await Promise.all([ours.close(), ours.close()]);
  await waitFor(() => heard.length === 2, { describe: 'both notifications' });
  ours.notify(WATCH_CHANNEL);
  expect(ours.lostCount).toBe(1);
});

test('without a database notifications are counted as lost and nothing is thrown', async () => {
  const ours = notifier({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
  ours.notify(WATCH_CHANNEL);
  await waitFor(() => ours.lostCount === 1, { describe: 'the lost notification' });
  ours.notify(WORK_CHANNEL);
  await waitFor(() => ours.lostCount === 2, { describe: 'the second lost notification' });
});

test('a notifier whose connection is killed notifies again on a new one', async () => {
  const ours = notifier({ applicationName: 'notifier to be killed' });
  ours.notify(WATCH_CHANNEL);
  await waitFor(() => heard.length === 1, { describe: 'the first notification' });
  await ear.query(
    "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'notifier to be killed'",
  );
  await waitFor(
    () => {
      ours.notify(WATCH_CHANNEL);
      return heard.length > 1;
    },
    { describe: 'a notification on the new connection', pollMs: 20 },
  );
});

test('a payload that is too long for NOTIFY is omitted and the notification still wakes', async () => {
  const ours = notifier();
  ours.notify(CANCEL_CHANNEL, 'x'.repeat(9_000));
  await waitFor(() => heard.length === 1, { describe: 'the notification' });
  expect(heard[0]?.payload).toBe('');
});

test('a writer may notify by itself while nothing was sent lately, and not twice in a row', async () => {
  const ours = notifier({ mergeMs: 100 });
  expect(ours.takeTurn()).toBe(true);
  expect(ours.takeTurn(), 'right after another').toBe(false);
  await waitFor(() => ours.takeTurn(), { describe: 'the next turn' });
  ours.notify(WORK_CHANNEL);
  expect(ours.takeTurn(), 'with a notification on its way').toBe(false);
  await waitFor(() => heard.length === 1, { describe: 'the notification' });
  await ours.close();
  expect(ours.takeTurn(), 'once closed').toBe(false);
});
