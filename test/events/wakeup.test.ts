import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WATCH_CHANNEL } from '../../src/db/channels.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { watchLateness } from '../support/lateness.ts';
import { waitFor } from '../support/wait.ts';
import { openStage, type Stage, Watcher } from './stage.ts';

/** Changes of which the median is taken. */
const RUNS = 40;

let database: TestDatabase;
let stage: Stage;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function inSilence(
  run: (writer: pg.Client, watcher: Watcher, id: string) => Promise<void>,
): Promise<void> {
  stage = await openStage(database.url);
  const [id = ''] = await stage.insertJobs(1);
  const watcher = new Watcher(stage.feed.subscribe({ tenantId: stage.tenantId }));
  await watcher.ready();
  const writer = new pg.Client({ connectionString: database.url });
  writer.on('error', () => undefined);
  await writer.connect();
  await writer.query("set millrace.notify = 'after_commit'");
  await run(writer, watcher, id);
  await writer.end();
  await watcher.stop();
  await stage.close();
}

/** Milliseconds from the commit of a change until the watcher has it. */
async function latencyMs(
  writer: pg.Client,
  watcher: Watcher,
  id: string,
  notify: () => void,
): Promise<number> {
  const count = watcher.events.length;
  await writer.query('update millrace.jobs set priority = priority + 1 where id = $1', [id]);
  const startedMs = performance.now();
  notify();
  await waitFor(() => watcher.events.length > count, { describe: 'the change', pollMs: 1 });
  return performance.now() - startedMs;
}

test('a change whose writer is killed between its commit and its notification is seen within a second', async () => {
  await inSilence(async (writer, watcher, id) => {
    const lateness = await watchLateness(database.url);
    const latency = await latencyMs(writer, watcher, id, () => undefined);
    expect(latency).toBeLessThan(1_000 + (await lateness.allowanceMs()));
  });
});

test('a change that is notified after its commit is seen at once, and so is one with an open transaction beside it', async () => {
  await inSilence(async (writer, watcher, id) => {
    const notify = (): void => stage.notifier.notify(WATCH_CHANNEL);
    const median = async (): Promise<number> => {
      const all: number[] = [];
      for (let i = 0; i < RUNS; i++) all.push(await latencyMs(writer, watcher, id, notify));
      return all.sort((one, two) => one - two)[RUNS / 2] ?? 0;
    };
    await median();
    const without = await median();
    // Begun before everything that follows, and writing: a feed by time or by the oldest transaction would
    // wait for it.
    const open = new pg.Client({ connectionString: database.url });
    await open.connect();
    await open.query('begin');
    await open.query('insert into millrace.jobs (tenant_id, definition_id) values ($1, $2)', [
      stage.tenantId,
      stage.definitionId,
    ]);
    const lateness = await watchLateness(database.url);
    const beside = await median();
    const count = watcher.events.length;
    await open.query('commit');
    await watcher.until(({ events }) => events.length > count, 'the late commit');
    await open.end();
    process.stdout.write(
      `commit to stream, median: ${without.toFixed(1)} ms, beside an open writer ${beside.toFixed(1)} ms\n`,
    );
    // On a machine that is busy, both are late, and one more than the other.
    expect(beside).toBeLessThan(Math.max(200, 4 * without) + (await lateness.allowanceMs()) / RUNS);
  });
});

test('a stream goes on when the listener is killed, and a change made meanwhile is not lost', async () => {
  await inSilence(async (writer, watcher, id) => {
    for (let round = 1; round <= 3; round++) {
      const killed = stage.listener.reconnectCount;
      await writer.query(
        "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'millrace listener'",
      );
      await latencyMs(writer, watcher, id, () => stage.notifier.notify(WATCH_CHANNEL));
      await waitFor(() => stage.listener.reconnectCount > killed, { describe: 'the listener to be back' });
    }
    expect(watcher.reversals).toEqual([]);
  });
});

test('a stream survives the end of every connection of the feed', async () => {
  await inSilence(async (writer, watcher, id) => {
    await writer.query(
      "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'millrace test' and datname = current_database()",
    );
    await latencyMs(writer, watcher, id, () => undefined);
    expect(watcher.kinds).not.toContain('resync');
  });
});
