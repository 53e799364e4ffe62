import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import { Fanout } from '../../src/fanout/fanout.ts';
import { NO_FEED_METRICS } from '../../src/telemetry/feed-metrics.ts';
import { CLAIM, openStage, type Stage } from '../events/stage.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait.ts';
import { Client, JobQuestion } from './crowd.ts';

let database: TestDatabase;
let stage: Stage;
const questions: JobQuestion[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  stage = await openStage(database.url);
});
afterAll(async () => {
  await Promise.all(questions.map((question) => question.close()));
  await stage.close();
  await database.drop();
});

function fanoutOf(maxFullMs = 60_000, maxSubscribersPerTenant = 100_000): Fanout {
  return new Fanout({ metrics: NO_FEED_METRICS, maxFullMs, maxSubscribersPerTenant });
}

async function questionOf(
  more: object = {},
): Promise<{ question: JobQuestion; tenantId: string; ids: string[] }> {
  const tenantId = await stage.makeTenant();
  const { rows } = await stage.superuser.query(
    'insert into millrace.jobs (tenant_id, definition_id) select $1, $2 from generate_series(1, 12) returning id',
    [tenantId, stage.definitionId],
  );
  const question = new JobQuestion(stage, { tenantId, ...more });
  questions.push(question);
  return { question, tenantId, ids: rows.map((row) => row.id) };
}

async function truth(tenantId: string): Promise<Map<string, bigint>> {
  const { rows } = await stage.superuser.query('select id, version from millrace.jobs where tenant_id = $1', [
    tenantId,
  ]);
  return new Map(rows.map((row) => [row.id, BigInt(row.version)]));
}

function knowsAll(client: Client, versions: ReadonlyMap<string, bigint>): boolean {
  return [...versions].every(([id, version]) => client.known.get(id) === version);
}

test('a hundred who ask the same share each execution, and all are sent every change', async () => {
  const { question, tenantId, ids } = await questionOf();
  const fanout = fanoutOf();
  const clients = Array.from({ length: 100 }, () => new Client(fanout, question));
  for (const client of clients) client.start();
  await waitFor(() => clients.every(({ shown }) => shown.some(({ kind }) => kind === 'ready')), {
    describe: 'everybody to have the state',
  });
  // All came while the first beginning was not read yet, or shared the second.
  expect(question.events).toBeLessThanOrEqual(3 * (ids.length + 1));
  await waitFor(() => fanout.streamCount === 1, { describe: 'the beginnings to have become one stream' });
  const before = question.events;
  for (const id of ids) await stage.touch([id]);
  const versions = await truth(tenantId);
  await waitFor(() => clients.every((client) => knowsAll(client, versions)), {
    describe: 'all to be notified',
  });
  // Changes may come in one batch or each in its own, and a batch may end with a checkpoint.
  expect(question.events - before).toBeLessThanOrEqual(3 * ids.length);
  for (const client of clients) client.cut();
  expect([fanout.groupCount, fanout.streamCount, fanout.subscriberCount]).toEqual([0, 0, 0]);
  expect(stage.feed.memberCount).toBe(0);
});

test('a client that joins, stalls, is cut and comes back while jobs change ends with the truth, and sees no job go back', async () => {
  const { question, tenantId, ids } = await questionOf();
  question.maxRenderMs = 15;
  const fanout = fanoutOf();
  const clients = Array.from({ length: 40 }, (_, index) => new Client(fanout, question, 1 + (index % 5)));
  const started = new Set<Client>();
  const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T;
  let isWriting = true;
  const writer = (async () => {
    while (isWriting) {
      await stage.touch([pick(ids), pick(ids)]);
      await sleep(Math.random() * 4);
    }
  })();
  for (let step = 0; step < 400; step++) {
    const client = pick(clients);
    if (!started.has(client)) {
      started.add(client);
      client.start();
    } else if (step % 3 === 0) {
      client.isReading = !client.isReading;
      if (client.isReading) client.read();
    } else if (step % 3 === 1) {
      client.read();
      client.start(client.cut());
    } else client.read();
    if (step % 8 === 0) await sleep(Math.random() * 8);
  }
  isWriting = false;
  await writer;
  for (const client of clients) {
    if (!started.has(client)) client.start();
    client.isReading = true;
    client.read();
  }
  const versions = await truth(tenantId);
  await waitFor(
    () => {
      for (const client of clients) client.read();
      return clients.every((client) => knowsAll(client, versions));
    },
    {
      describe: () =>
        `all to know the truth; ${clients.filter((client) => !knowsAll(client, versions)).length} do not`,
    },
  );
  expect(clients.flatMap(({ wentBack }) => wentBack)).toEqual([]);
  await waitFor(() => fanout.streamCount === 1, { describe: 'all streams to have become one' });
  for (const client of clients) client.cut();
  expect([fanout.groupCount, fanout.subscriberCount, stage.feed.memberCount]).toEqual([0, 0, 0]);
});

test('a job that leaves the statuses asked for is sent to those who joined later, too', async () => {
  const { question, ids } = await questionOf({ statuses: ['queued'] });
  const fanout = fanoutOf();
  const [first, second] = [new Client(fanout, question), new Client(fanout, question)];
  first.start();
  await waitFor(() => first.known.size === ids.length, { describe: 'the first to have the state' });
  await stage.superuser.query(CLAIM, [ids.slice(0, 3)]);
  await waitFor(() => first.shown.filter(({ kind }) => kind === 'jobLeft').length === 3, {
    describe: 'three to have left',
  });
  second.start();
  await waitFor(() => fanout.streamCount === 1 && second.known.size === ids.length - 3, {
    describe: 'the second to go on with the first',
  });
  await stage.superuser.query(CLAIM, [ids.slice(3, 5)]);
  for (const client of [first, second])
    await waitFor(
      () => ids.slice(3, 5).every((id) => client.shown.some((s) => s.kind === 'jobLeft' && s.jobId === id)),
      {
        describe: 'both to be sent the next two',
      },
    );
  first.cut();
  second.cut();
});

test('a client that reads nothing is sent an initial state once and whole, then what it missed, and no more than it can hold', async () => {
  const { question, tenantId, ids } = await questionOf();
  const fanout = fanoutOf();
  const slow = new Client(fanout, question, 3);
  slow.isReading = false;
  slow.start();
  await waitFor(() => slow.isFull, { describe: 'it to be full' });
  for (let round = 0; round < 5; round++) await stage.touch(ids);
  expect(slow.unreadCount).toBe(3);
  const versions = await truth(tenantId);
  await waitFor(
    () => {
      slow.read();
      return knowsAll(slow, versions);
    },
    { describe: 'it to know the truth' },
  );
  expect(slow.shown.filter(({ kind }) => kind === 'ready')).toHaveLength(1);
  expect(slow.wentBack).toEqual([]);
  // Not each of the five versions of each job: what lies between was left out.
  expect(slow.shown.length).toBeLessThan(4 * ids.length);
  slow.cut();
});

test('a state of many pages is read no faster than somebody takes it, and holds up nobody who comes meanwhile', async () => {
  const { question, tenantId } = await questionOf();
  await stage.superuser.query(
    'insert into millrace.jobs (tenant_id, definition_id) select $1, $2 from generate_series(1, 500)',
    [tenantId, stage.definitionId],
  );
  const fanout = fanoutOf();
  const slow = [1, 2, 3].map(() => new Client(fanout, question, 3));
  for (const client of slow) {
    client.isReading = false;
    client.start();
    await waitFor(() => client.isFull, { describe: 'it to be full' });
  }
  const quick = new Client(fanout, question);
  quick.start();
  const versions = await truth(tenantId);
  await waitFor(() => knowsAll(quick, versions), { describe: 'the quick one to know all' });
  // Of 512 jobs: a batch for each of the three that read nothing, and the whole for the one that does.
  expect(question.events).toBeLessThanOrEqual(3 * 200 + 512 + 1);
  await stage.touch([...versions.keys()].slice(0, 5));
  const later = await truth(tenantId);
  await waitFor(
    () => {
      for (const client of slow) client.read();
      return slow.every((client) => knowsAll(client, later));
    },
    { describe: 'the slow ones to know all in the end' },
  );
  await waitFor(() => knowsAll(quick, later), { describe: 'the quick one, too' });
  for (const client of slow) client.isReading = true;
  for (const client of slow) client.read();
  await stage.touch([...versions.keys()].slice(0, 1));
  await waitFor(() => fanout.streamCount === 1, { describe: 'all to go on together' });
  for (const client of [...slow, quick]) client.cut();
  expect([fanout.groupCount, fanout.streamCount, fanout.subscriberCount]).toEqual([0, 0, 0]);
});

test('who stays full too long is ended with SlowConsumer and the cursor, and goes on from there without a gap', async () => {
  const { question, tenantId, ids } = await questionOf();
  const fanout = fanoutOf(100);
  const slow = new Client(fanout, question, 2);
  slow.start();
  await waitFor(() => slow.shown.some(({ kind }) => kind === 'ready'), { describe: 'the state' });
  slow.isReading = false;
  for (const id of ids) await stage.touch([id]);
  const why = await waitFor(() => slow.why, { describe: 'it to be given up' });
  expect(why).toBeInstanceOf(DomainError);
  expect((why as DomainError).code).toBe('SlowConsumer');
  const { cursor } = (why as DomainError).details;
  expect(cursor).toEqual(expect.any(String));
  expect([fanout.groupCount, fanout.subscriberCount]).toEqual([0, 0]);
  slow.isReading = true;
  slow.read();
  slow.start(cursor as string);
  const versions = await truth(tenantId);
  await waitFor(() => knowsAll(slow, versions), { describe: 'it to know the truth' });
  expect(slow.wentBack).toEqual([]);
  slow.cut();
});

test('a tenant has no more subscriptions than it may, and each that ends makes room', async () => {
  const { question } = await questionOf();
  const fanout = fanoutOf(60_000, 2);
  const clients = [1, 2, 3].map(() => new Client(fanout, question));
  clients[0]?.start();
  clients[1]?.start();
  expect(() => clients[2]?.start()).toThrow(expect.objectContaining({ code: 'TooManySubscriptions' }));
  clients[0]?.cut();
  clients[2]?.start();
  await waitFor(() => clients[2]?.shown.some(({ kind }) => kind === 'ready'), {
    describe: 'the third to be served',
  });
  clients[1]?.cut();
  clients[2]?.cut();
});
