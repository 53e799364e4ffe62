import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { migrate } from '../../src/db/migrate/migrate.ts';
import { signToken } from '../../src/identity/sign-token.ts';
import { openServer, type RunningServer } from '../../src/open-server.ts';
import { openWorker } from '../../workers/open-worker.ts';
import { builtInRegistrations } from '../../workers/registrations.ts';
import { hasPgbouncer, type Pooler, startPgbouncer } from '../support/pgbouncer.ts';
import { startTestCluster, type TestCluster } from '../support/postgres.ts';
import { connectSuperuser } from '../support/superuser.ts';
import { openSocket } from '../support/ws.ts';

// A database whose every default that could matter is another than ours, from before it is migrated, directly
// and behind a pooler.

const HOSTILE: Readonly<Record<string, string>> = {
  timezone: 'Europe/Berlin',
  datestyle: 'German',
  intervalstyle: 'sql_standard',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  standard_conforming_strings: 'off',
  backslash_quote: 'on',
  array_nulls: 'off',
  transform_null_equals: 'on',
  timezone_abbreviations: 'Australia',
  xmloption: 'document',
  search_path: 'hostile, public',
  row_security: 'off',
  restrict_nonsystem_relation_kind: 'view',
  gin_fuzzy_search_limit: '1',
  'plpgsql.extra_errors': 'all',
  default_transaction_isolation: 'serializable',
  default_transaction_read_only: 'on',
  default_transaction_deferrable: 'on',
  session_replication_role: 'replica',
  statement_timeout: '250ms',
  lock_timeout: '1ms',
  transaction_timeout: '250ms',
  idle_in_transaction_session_timeout: '1ms',
  idle_session_timeout: '250ms',
  exit_on_error: 'on',
  client_min_messages: 'debug1',
  client_encoding: 'LATIN1',
  plan_cache_mode: 'force_custom_plan',
  jit: 'on',
  jit_above_cost: '0',
  debug_parallel_query: 'on',
  enable_indexscan: 'off',
  enable_indexonlyscan: 'off',
  enable_bitmapscan: 'off',
  enable_nestloop: 'off',
  quote_all_identifiers: 'on',
  default_text_search_config: 'german',
  lc_messages: 'C',
};
const SECRET = 'a-secret-of-tests-that-is-long-enough-for-anyone';

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startTestCluster();
  const superuser = await connectSuperuser(cluster.url);
  await superuser.query('create schema hostile');
  // As a type of ours would be called by anybody who forgot the schema.
  await superuser.query('create domain hostile.uuid as text check (false)');
  for (const [name, value] of Object.entries(HOSTILE))
    await superuser.query(
      `alter database millrace set ${name} = ${value.includes(',') ? value : `'${value}'`}`,
    );
  await superuser.end();
  await migrate({ connectionString: cluster.url });
});
afterAll(() => cluster.remove());

describe.each(['directly', 'behind a pooler in transaction mode'])(
  'on a database with hostile defaults, %s',
  (way) => {
    const isPooled = way !== 'directly';
    const lines: string[] = [];
    let pooler: Pooler | undefined;
    let server: RunningServer;
    let token: string;
    let env: Record<string, string>;
    let storageDir: string;

    beforeAll(async () => {
      if (isPooled && !hasPgbouncer) return;
      if (isPooled) pooler = await startPgbouncer(cluster.url, 10);
      storageDir = await mkdtemp(join(tmpdir(), 'millrace-test-hostile-'));
      env = {
        PORT: '0',
        MILLRACE_JWT_SECRET: SECRET,
        MILLRACE_SIGNING_SECRET: SECRET,
        MILLRACE_STORAGE_DIR: storageDir,
        MILLRACE_LOG_LEVEL: 'silent',
        ...(isPooled && {
          MILLRACE_POOLER: 'transaction',
          MILLRACE_PREPARED_STATEMENTS: 'off',
          MILLRACE_LISTEN_URL: cluster.url,
        }),
      };
      const config = loadConfig(env);
      const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) });
      server = await openServer({
        awaits: new AbortController().signal,
        config,
        databaseUrl: pooler?.url ?? cluster.url,
        log,
      });
      const tenantId = await server.ensureTenant(isPooled ? 'pooled' : 'direct', 'Demo');
      token = await signToken(config, { subject: 'ann', tenantId, role: 'tenant_admin', ttlSeconds: 86_400 });
    });
    afterAll(async () => {
      await server?.stop();
      await pooler?.close();
      if (storageDir !== undefined) await rm(storageDir, { recursive: true });
    });

    // biome-ignore lint/suspicious/noExplicitAny: answers are as different as the documents
    async function ask(query: string, variables: object = {}): Promise<any> {
      const response = await fetch(server.graphqlUrl, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          connection: 'close',
        },
        body: JSON.stringify({ query, variables }),
      });
      const answer = (await response.json()) as { data: unknown; errors?: unknown };
      expect(answer.errors).toBeUndefined();
      return answer.data;
    }

    const JOB = 'uuid status queuedAt scheduledFor finishedAt result attempts { status finishedAt }';
    const near = (time: string): number => Math.abs(Date.parse(time) - Date.now());

    it('jobs are enqueued, run, listed and streamed, and every time is true', async (context) => {
      if (isPooled && !hasPgbouncer) return context.skip('PgBouncer is not installed');
      const worker = await openWorker({
        awaits: new AbortController().signal,
        config: loadConfig(env),
        databaseUrl: pooler?.url ?? cluster.url,
        registrations: await builtInRegistrations(loadConfig({})),
        exitWhenBlocked: false,
      });
      const socket = openSocket(server.graphqlUrl, { token });
      try {
        const watching = socket.subscribe(
          `subscription { jobChanges { __typename ... on JobUpdated { job { ${JOB} } } } }`,
        );
        await watching.next(({ data }) => data?.jobChanges.__typename === 'FeedReady', 'FeedReady');
        const at = new Date(Date.now() + 3_600_000).toISOString();
        const { enqueueJob } = await ask(
          `mutation ($at: DateTime) { enqueueJob(input: { definition: "echo", payload: { message: "x" }, scheduledFor: $at }) {
          ... on EnqueueJobPayload { job { ${JOB} waitingFor { endsAt } } } } }`,
          { at },
        );
        expect(Date.parse(enqueueJob.job.scheduledFor)).toBe(Date.parse(at));
        expect(Date.parse(enqueueJob.job.waitingFor.endsAt)).toBe(Date.parse(at));
        expect(near(enqueueJob.job.queuedAt)).toBeLessThan(60_000);

        const { enqueueJob: now } = await ask(
          `mutation { enqueueJob(input: { definition: "echo", payload: { message: "now" } }) { ... on EnqueueJobPayload { job { uuid } } } }`,
        );
        const { data } = await watching.next(
          (event) =>
            event.data?.jobChanges.job?.uuid === now.job.uuid &&
            event.data.jobChanges.job.status === 'SUCCEEDED',
          'the job to succeed',
        );
        expect(near(data.jobChanges.job.finishedAt)).toBeLessThan(60_000);
        const { jobs } = await ask(`{ jobs(first: 10) { nodes { ${JOB} } } }`);
        expect(jobs.nodes).toHaveLength(2);
        expect(jobs.nodes[0]).toMatchObject({
          uuid: now.job.uuid,
          status: 'SUCCEEDED',
          attempts: [{ status: 'SUCCEEDED' }],
        });
        expect(near(jobs.nodes[0].finishedAt)).toBeLessThan(60_000);
        const { cancelJob } = await ask(
          `mutation ($id: ID!) { cancelJob(input: { id: $id }) { ... on CancelJobPayload { job { status finishedAt } } } }`,
          { id: enqueueJob.job.uuid },
        );
        expect(cancelJob.job.status).toBe('CANCELED');
        expect(near(cancelJob.job.finishedAt)).toBeLessThan(60_000);
      } finally {
        await socket.close();
        await worker.stop();
      }
      expect(lines).toEqual([]);
    });

    it('keys end when they should, and work', async (context) => {
      if (isPooled && !hasPgbouncer) return context.skip('PgBouncer is not installed');
      const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
      const { createApiKey } = await ask(
        `mutation ($at: DateTime) { createApiKey(input: { name: "k", role: MEMBER, expiresAt: $at }) { ... on CreateApiKeyPayload { secret apiKey { expiresAt } } ... on DomainFailure { message } } }`,
        { at: expiresAt },
      );
      expect(Date.parse(createApiKey.apiKey.expiresAt)).toBe(Date.parse(expiresAt));
      const response = await fetch(server.graphqlUrl, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${createApiKey.secret}`,
          connection: 'close',
        },
        body: JSON.stringify({ query: '{ viewer { role } }' }),
      });
      expect(await response.json()).toEqual({ data: { viewer: { role: 'MEMBER' } } });
    });

    it('SQL callers with the same defaults but rights enqueue, too', async () => {
      const superuser = await connectSuperuser(cluster.url);
      try {
        // What such a session must set for any write at all.
        await superuser.query(
          'set session_replication_role = origin; set transaction_timeout = 0; set statement_timeout = 0; set idle_session_timeout = 0',
        );
        await superuser.query('set default_transaction_read_only = off');
        const { rows } = await superuser.query(
          `select kind from millrace.enqueue('echo', payload => '{"message": "x"}', tenant => '${isPooled ? 'pooled' : 'direct'}')`,
        );
        expect(rows).toEqual([{ kind: 'created' }]);
      } finally {
        await superuser.end();
      }
    });
  },
);
