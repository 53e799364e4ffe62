import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { WATCH_CHANNEL } from '../../src/db/channels.ts';
import { Database } from '../../src/db/database.ts';
import { createListener } from '../../src/db/listener.ts';
import { createNotifier } from '../../src/db/notifier.ts';
import { statement } from '../../src/db/statement.ts';
import { createPostgresQueue } from '../../src/queue/postgres-queue.ts';
import { openWorker } from '../../workers/open-worker.ts';
import { builtInRegistrations } from '../../workers/registrations.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { hasPgbouncer, type Pooler, startPgbouncer } from '../support/pgbouncer.ts';
import { testPipelines } from '../support/pipelines.ts';
import { measured, openTestQueue, silentLog, succeeded, type TestQueue } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';
import { openSocket } from '../support/ws.ts';

// Debian's PgBouncer, 1.18: it knows no prepared statements in transaction mode. Skipped outside CI where it
// is not installed.

const whoAmI = statement(
  'who_am_i',
  `select current_user::text as role, current_setting('enable_seqscan') as seqscan, current_setting('millrace.notify', true) as notifier,
          current_setting('lock_timeout') as patience, $1::integer as given`,
);
const divide = statement('divide', 'select 1 / $1::integer as quotient');

describe.skipIf(!hasPgbouncer)(
  'single statements of the worker role through a pooler in transaction mode',
  () => {
    let queue: TestQueue;
    let pooler: Pooler;
    let db: Database;

    beforeAll(async () => {
      queue = await openTestQueue();
      pooler = await startPgbouncer(queue.url);
      db = new Database({
        connectionString: pooler.url,
        rolePrefix: 'millrace',
        maxConnections: 10,
        applicationName: 'millrace pooled test',
        preparedStatements: false,
        pooler: 'transaction',
        onError: () => undefined,
      });
    });
    afterAll(async () => {
      await db?.close();
      await pooler?.close();
      await queue.close();
    });

    it('work as the worker with its settings, and leave nothing of them on the connection that others are lent', async () => {
      const answers = await Promise.all(
        Array.from({ length: 40 }, async (_, given) => (await db.asWorker(whoAmI, [given])).rows[0]),
      );
      expect(answers).toEqual(
        Array.from({ length: 40 }, (_, given) => ({
          role: 'millrace_worker',
          seqscan: 'off',
          notifier: 'after_commit',
          patience: '2s',
          given,
        })),
      );
      const { rows } = await db.asLogin<{
        role: string;
        seqscan: string;
        notifier: string;
        patience: string;
      }>(whoAmI, [1]);
      const login = decodeURIComponent(new URL(queue.url).username);
      expect(rows[0]).toMatchObject({ role: login, seqscan: 'on', patience: '0' });
      expect(rows[0]?.notifier ?? '').toBe('');
    });

    it('fail by themselves: the error is thrown, what they did is undone, and the connection serves the next', async () => {
      const results = await Promise.allSettled(
        [1, 0, 2, 0, 4].map(
          async (by) => (await db.asWorker<{ quotient: number }>(divide, [by])).rows[0]?.quotient,
        ),
      );
      expect(
        results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.code)),
      ).toEqual([1, '22012', 0, '22012', 0]);
    });

    it('are notified after, by notifiers that share its connections: none is lost', async () => {
      const notifiers = Array.from({ length: 4 }, () =>
        createNotifier({
          connectionString: pooler.url,
          log: silentLog,
          preparedStatements: false,
          mergeMs: 1,
          burst: 100,
        }),
      );
      for (let round = 1; round <= 5; round++) {
        for (const notifier of notifiers) notifier.notify(WATCH_CHANNEL, String(round));
        await waitFor(() => notifiers.every(({ sentCount, lostCount }) => sentCount + lostCount === round), {
          describe: `round ${round} of four notifiers`,
        });
      }
      await Promise.all(notifiers.map((notifier) => notifier.close()));
      expect(notifiers.map(({ lostCount }) => lostCount)).toEqual([0, 0, 0, 0]);
    });

    it('enqueue, claim, renew and settle jobs', async () => {
      const notifier = createNotifier({
        connectionString: pooler.url,
        log: silentLog,
        preparedStatements: false,
      });
      try {
        const pooled = createPostgresQueue(db, notifier, queue.definitions, { pipelines: testPipelines });
        const tenantId = await queue.makeTenant();
        const [enqueued] = await pooled.enqueue(tenantId, [{ definitionKey: 'alpha', payload: { a: 1 } }]);
        expect(enqueued?.kind).toBe('created');
        const { jobs } = await pooled.claim({
          workerId: 'pooled',
          definitionIds: [...queue.definitions.keys()],
          limit: 10,
          after: null,
        });
        const [claimed] = jobs;
        if (claimed === undefined) throw new Error('nothing was claimed');
        expect(await pooled.heartbeat([claimed.lease], [30])).toEqual({
          lost: [],
          busy: [],
          cancelRequested: [],
        });
        expect(await pooled.finish(claimed, succeeded({ ok: true }), measured())).toBe('settled');
        expect(await queue.job(claimed.job.id)).toMatchObject({ status: 'succeeded', result: { ok: true } });
      } finally {
        await notifier.close();
      }
    });

    it('a listener finds out that it cannot LISTEN through it, although it hears its own notification', async () => {
      const lines: string[] = [];
      const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
      const listener = createListener({
        connectionString: pooler.url,
        channels: [WATCH_CHANNEL],
        pingTimeoutMs: 500,
        log,
      });
      await listener.start();
      expect(listener.mode).toBe('polling');
      expect(lines.join()).toContain('did not hear');
      await listener.stop();
    });
  },
);

describe.skipIf(!hasPgbouncer)('the whole of it through a pooler in transaction mode', () => {
  const SETTINGS = { MILLRACE_POOLER: 'transaction', MILLRACE_PREPARED_STATEMENTS: 'off' };
  const errors: string[] = [];
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi({
      log: pino({ level: 'error' }, { write: (line: string) => errors.push(line) }),
      via: async (databaseUrl) => {
        const { url, close } = await startPgbouncer(databaseUrl, 12);
        return { url, close, env: { ...SETTINGS, MILLRACE_LISTEN_URL: databaseUrl } };
      },
    });
  });
  afterAll(() => api.close());

  it('a mutation, a query, a live subscription and a worker do their work, and LISTEN goes past it', async () => {
    const tenantId = await api.makeTenant();
    const token = await api.token(tenantId, 'tenant_admin');
    expect((await (await fetch(`${api.url}/health/ready`)).json()).listener).toBe('listening');
    const worker = await openWorker({
      awaits: new AbortController().signal,
      config: loadConfig({
        ...SETTINGS,
        MILLRACE_LISTEN_URL: api.databaseUrl,
        MILLRACE_STORAGE_DIR: api.storageDir,
        MILLRACE_LOG_LEVEL: 'silent',
      }),
      databaseUrl: api.serverDatabaseUrl,
      registrations: await builtInRegistrations(loadConfig({})),
      exitWhenBlocked: false,
    });
    const socket = openSocket(api.server.graphqlUrl, { token });
    try {
      const watching = socket.subscribe(
        'subscription { jobChanges { __typename ... on JobUpdated { job { uuid status } } } }',
      );
      await watching.next(({ data }) => data?.jobChanges.__typename === 'FeedReady', 'FeedReady');
      const jobs = await Promise.all(
        Array.from({ length: 5 }, async () => {
          const { data } = await api.query(
            token,
            'mutation { enqueueJob(input: { definition: "echo", payload: { message: "x" } }) { ... on EnqueueJobPayload { job { uuid } } } }',
          );
          expect(errors).toEqual([]);
          return data.enqueueJob.job.uuid as string;
        }),
      );
      for (const uuid of jobs) {
        await watching.next(
          ({ data }) => data?.jobChanges.job?.uuid === uuid && data.jobChanges.job.status === 'SUCCEEDED',
          `job ${uuid} to succeed`,
        );
      }
      const { data } = await api.query(token, '{ jobs(first: 20) { nodes { status definition { key } } } }');
      expect(data.jobs.nodes.map((job: { status: string }) => job.status)).toEqual(
        jobs.map(() => 'SUCCEEDED'),
      );
    } finally {
      await socket.close();
      await worker.stop();
    }
  });
});

describe.skipIf(!hasPgbouncer)('without a direct URL', () => {
  it('changes are found by polling, which a metric and a log line say', async () => {
    const lines: string[] = [];
    const api = await startTestApi({
      log: pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }),
      env: { MILLRACE_METRICS_TOKEN: 'a-token-for-metrics' },
      via: async (databaseUrl) => {
        const { url, close } = await startPgbouncer(databaseUrl, 6);
        return { url, close, env: { MILLRACE_POOLER: 'transaction', MILLRACE_PREPARED_STATEMENTS: 'off' } };
      },
    });
    try {
      expect(lines.join()).toContain('no direct connection to listen on');
      const tenantId = await api.makeTenant();
      const token = await api.token(tenantId, 'tenant_admin');
      const socket = openSocket(api.server.graphqlUrl, { token });
      const watching = socket.subscribe('subscription { jobChanges { __typename } }');
      await watching.next(({ data }) => data?.jobChanges.__typename === 'FeedReady', 'FeedReady');
      await api.superuser.query(
        `insert into millrace.jobs (tenant_id, definition_id) select $1, id from millrace.job_definitions where key = 'echo'`,
        [tenantId],
      );
      await watching.next(({ data }) => data?.jobChanges.__typename === 'JobUpdated', 'the job, by a poll');
      const answer = await fetch(`${api.url}/metrics`, {
        headers: { authorization: 'Bearer a-token-for-metrics', connection: 'close' },
      });
      const text = await answer.text();
      expect(text).toMatch(/^millrace_feed_polling 1$/m);
      // No notification is expected, so none is missed.
      expect(text).toMatch(/^millrace_feed_missed_notifications_total 0$/m);
      await socket.close();
    } finally {
      await api.close();
    }
  });
});

describe.skipIf(!hasPgbouncer)('a pooler in transaction mode that no setting names', () => {
  it.each([1, 6])('with %i server connections is noticed: the server says so and works', async (poolSize) => {
    const lines: string[] = [];
    const api = await startTestApi({
      log: pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }),
      via: (databaseUrl) => startPgbouncer(databaseUrl, poolSize),
    });
    try {
      expect(lines.join()).toContain('goes through a pooler in transaction mode');
      const tenantId = await api.makeTenant();
      const token = await api.token(tenantId, 'tenant_admin');
      for (let round = 0; round < 20; round++) {
        const { errors } = await api.query(
          token,
          'mutation { enqueueJob(input: { definition: "echo", payload: { message: "x" } }) { __typename } }',
        );
        expect(errors).toEqual([]);
      }
      expect(lines.join()).not.toContain('prepared statement');
    } finally {
      await api.close();
    }
  });
});
