import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Client,
  createClient,
  createWorker,
  DomainError,
  defineJob,
  done,
  job,
  PermanentError,
  Type,
  type Worker,
} from '../../src/package/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait.ts';

const greet = defineJob({
  key: 'greet',
  payload: Type.Object(
    { name: Type.String({ minLength: 1 }), greeting: Type.Optional(Type.String({ default: 'hello' })) },
    { additionalProperties: false },
  ),
  maxAttempts: 1,
  leaseSeconds: 30,
});

let database: TestDatabase;
let client: Client;
let worker: Worker;
let dataDir: string;
const release = Promise.withResolvers<void>();

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'millrace-test-client-'));
  client = createClient({
    databaseUrl: database.url,
    tenant: 'acme',
    createTenant: true,
    createdBy: 'service:test',
    logLevel: 'silent',
  });
  worker = createWorker({
    databaseUrl: database.url,
    dataDir,
    logLevel: 'silent',
    jobs: [
      job(greet, async ({ payload, signal }) => {
        if (payload.name === 'nobody') throw new PermanentError('NobodyThere', 'there is nobody');
        if (payload.name === 'slow') await Promise.race([release.promise, aborted(signal)]);
        return done(`${payload.greeting} ${payload.name}`);
      }),
    ],
  });
});
afterAll(async () => {
  release.resolve();
  await worker.stop(0);
  await client.close();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

describe('a program with a client and a worker', () => {
  test('enqueues before any worker has declared the job, and the worker then runs it', async () => {
    const { id, kind } = await client.enqueue(greet, { name: 'ann' }, { priority: 5, correlationId: 'c-1' });
    expect(kind).toBe('created');
    expect(await client.job(id)).toMatchObject({
      definitionKey: 'greet',
      status: 'queued',
      priority: 5,
      correlationId: 'c-1',
      createdBy: 'service:test',
      payload: { name: 'ann', greeting: 'hello' },
    });
    await worker.start();
    const ended = await waitFor(
      async () => {
        const seen = await client.job(id);
        return seen?.status === 'succeeded' ? seen : null;
      },
      { describe: 'the job to be done' },
    );
    expect(ended.result).toBe('hello ann');
  });

  test('waits for a job to end, however it ends', async () => {
    expect(await client.enqueueAndWait(greet, { name: 'bob', greeting: 'good day' })).toMatchObject({
      status: 'succeeded',
      result: 'good day bob',
      definitionKey: 'greet',
    });
    expect(await client.enqueueAndWait(greet, { name: 'nobody' })).toMatchObject({
      status: 'failed',
      lastError: { type: 'NobodyThere' },
    });
  });

  test('stops waiting when the time is over, cancels a job that runs, and has it run again', async () => {
    const late = await client
      .enqueueAndWait(greet, { name: 'slow' }, { waitSeconds: 0.3 })
      .catch((error) => error);
    expect(late).toMatchObject({ code: 'WaitTimeout' });
    const id = String(late.details.jobId);
    await waitFor(async () => (await client.job(id))?.status === 'running', {
      describe: 'it to run',
    });
    expect(await client.retry(id)).toEqual({ kind: 'stillRunning' });
    expect(await client.cancel(id, 'not needed')).toEqual({ kind: 'requested' });
    await waitFor(async () => (await client.job(id))?.status === 'canceled', {
      describe: 'its end',
    });
    release.resolve();
    expect(await client.retry(id)).toEqual({ kind: 'queued' });
    await waitFor(async () => (await client.job(id))?.status === 'succeeded', {
      describe: 'it to be done',
    });
  });

  test('gives many jobs a result each, the bad ones named', async () => {
    const results = await client.enqueueMany(greet, [
      { payload: { name: 'a' }, dedupeKey: `once-${randomUUID()}` },
      { payload: { name: '' } },
      { payload: { name: 'b' }, priority: -1 },
      { payload: { name: 'c' } },
    ]);
    expect(results.map(({ kind }) => kind)).toEqual(['created', 'invalid', 'invalid', 'created']);
    const fields = results.map((result) => (result.kind === 'invalid' ? result.error.details.field : null));
    expect(fields).toEqual([null, 'payload.name', expect.stringContaining('priority'), null]);
  });

  test('gets the error of a payload, an option and a reserved key that are wrong, before anything is written', async () => {
    const bad = [
      [{ name: 1 }, {}, 'InvalidPayload', 'payload.name'],
      [{ name: 'a', extra: true }, {}, 'InvalidPayload', 'payload.extra'],
      [{ name: 'a' }, { delay: 5 }, 'InvalidArgument', 'delay'],
      [{ name: 'a' }, { dedupeKey: 'millrace:x' }, 'InvalidArgument', 'dedupeKey'],
    ] as const;
    for (const [payload, options, code, field] of bad) {
      const error = await client.enqueue(greet, payload as never, options as never).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(DomainError);
      expect(error).toMatchObject({ code, details: { field } });
    }
  });

  test('finds no job of another tenant, nor one with an id that is none', async () => {
    const other = createClient({
      databaseUrl: database.url,
      tenant: 'other',
      createTenant: true,
      logLevel: 'silent',
    });
    try {
      const { id } = await client.enqueue(greet, { name: 'mine' });
      expect(await other.job(id)).toBeNull();
      expect(await other.cancel(id)).toEqual({ kind: 'notFound' });
      expect(await other.retry('nonsense')).toEqual({ kind: 'notFound' });
    } finally {
      await other.close();
    }
  });
});

test('payloads and options are typed by the definition', () => {
  // Compiled by `npm run check`, not run.
  const typed = [
    // @ts-expect-error a number is no name
    () => client.enqueue(greet, { name: 1 }),
    // @ts-expect-error there is no such option
    () => client.enqueue(greet, { name: 'a' }, { delay: 1 }),
    // @ts-expect-error the second has no name
    () => client.enqueueMany(greet, [{ payload: { name: 'a' } }, { payload: {} }]),
    // @ts-expect-error there is no such field in the payload
    () => job(greet, async ({ payload }) => done(payload.nothing)),
    // @ts-expect-error a handler returns an outcome
    () => job(greet, async () => 'done'),
  ];
  expect(typed).toHaveLength(5);
});

describe('a client that cannot work', () => {
  test('says so at the first call: no tenant, no database; and afterwards: closed', async () => {
    const nobody = createClient({ databaseUrl: database.url, tenant: 'nobody', logLevel: 'silent' });
    await expect(nobody.job('x')).rejects.toMatchObject({ code: 'NotFound', details: { field: 'tenant' } });
    await nobody.close();
    await expect(nobody.job('x')).rejects.toMatchObject({ code: 'WrongState' });
    const nowhere = createClient({
      databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing',
      tenant: 'acme',
      schemaWaitSeconds: 0,
      logLevel: 'silent',
    });
    await expect(nowhere.job('x')).rejects.toMatchObject({ code: 'DatabaseUnsupported' });
    await nowhere.close();
  });

  const good = { databaseUrl: 'postgres://x/y', tenant: 'acme' };
  test.each([
    ['databaseUrl', { tenant: 'acme' }, 'a postgres:// URL'],
    ['databaseUrl', { ...good, databaseUrl: 'mysql://user:pa55word@x' }, 'a postgres:// URL'],
    ['tenant', { ...good, tenant: 'No Slug' }, 'slug or id'],
    ['maxConnections', { ...good, maxConnections: 1.5 }, 'an integer from 2 to 500'],
    ['logLevel', { ...good, logLevel: 'loud' }, 'one of trace'],
    ['databaseURL', { ...good, databaseURL: 'x' }, 'the options databaseUrl'],
  ])('refuses %s at once, and never shows a URL', (field, options, allowed) => {
    const make = (): unknown => createClient(options as never);
    expect(make).toThrow(
      expect.objectContaining({ code: 'InvalidArgument', details: expect.objectContaining({ field }) }),
    );
    expect(make).toThrow(allowed);
    expect(make).not.toThrow('pa55word');
  });
});

describe('a worker that cannot work', () => {
  const url = 'postgres://x/y';
  const registration = job(greet, async () => done());
  test.each([
    ['jobs', { databaseUrl: url, jobs: [] }, 'at least one job'],
    ['concurrency', { databaseUrl: url, jobs: [registration], concurrency: 0 }, '1 to 1000'],
    ['migrate', { databaseUrl: url, jobs: [registration], migrate: 'yes' }, 'true or false'],
  ])('refuses %s at once', (field, options, allowed) => {
    expect(() => createWorker(options as never)).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ field }) }),
    );
    expect(() => createWorker(options as never)).toThrow(allowed);
  });

  test('names each job at fault by its place', () => {
    const echo = job(defineJob({ key: 'echo', payload: Type.Any() }), async () => done());
    const make = (): unknown =>
      createWorker({ databaseUrl: url, jobs: [registration, registration, echo, greet as never] });
    expect(make).toThrow('jobs[1]: the key "greet" is taken by createWorker: jobs[0]');
    expect(make).toThrow(`jobs[2]: the key "echo" is taken by one of Millrace's own jobs`);
    expect(make).toThrow('jobs[3]: is a definition without a handler');
  });
});
