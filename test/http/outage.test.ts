import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { migrate } from '../../src/db/migrate/migrate.ts';
import { signToken } from '../../src/identity/sign-token.ts';
import { openServer, type RunningServer } from '../../src/open-server.ts';
import { startTestCluster, type TestCluster } from '../support/postgres.ts';
import { silentLog } from '../support/queue.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { waitFor } from '../support/wait.ts';
import { openSocket } from '../support/ws.ts';

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startTestCluster();
  await migrate({ connectionString: cluster.url });
});
afterAll(() => cluster.remove());

const SECRET = 'a-secret-of-tests-that-is-long-enough-for-anyone';

async function open(): Promise<{ server: RunningServer; token: string }> {
  const config = loadConfig({
    PORT: '0',
    MILLRACE_JWT_SECRET: SECRET,
    MILLRACE_SIGNING_SECRET: SECRET,
    MILLRACE_STORAGE_DIR: await makeTempDir(),
  });
  const server = await openServer({
    awaits: new AbortController().signal,
    config,
    databaseUrl: cluster.url,
    log: silentLog,
  });
  const tenantId = await server.ensureTenant('demo', 'Demo');
  const token = await signToken(config, { subject: 'a', tenantId, role: 'tenant_admin', ttlSeconds: 86_400 });
  return { server, token };
}

const ask = async ({ server, token }: Awaited<ReturnType<typeof open>>, query: string) => {
  const response = await fetch(server.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, connection: 'close' },
    body: JSON.stringify({ query }),
  });
  return (await response.json()) as { data?: unknown; errors?: { extensions: { code: string } }[] };
};

/** A job of the tenant that sends no notification. */
async function insertSilently(): Promise<string> {
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  await client.query("set millrace.notify = 'after_commit'");
  const { rows } = await client.query(
    `insert into millrace.jobs (tenant_id, definition_id)
     select t.id, d.id from millrace.tenants t, millrace.job_definitions d where t.slug = 'demo' and d.key = 'echo' returning id`,
  );
  await client.end();
  return rows[0].id;
}

const readiness = async (server: RunningServer) => {
  const response = await fetch(`${server.url}/health/ready`, { headers: { connection: 'close' } });
  return { httpStatus: response.status, ...((await response.json()) as object) };
};

describe('while the database is away', () => {
  it('for a restart, requests and open subscriptions come back by themselves', async () => {
    const opened = await open();
    const { server } = opened;
    const socket = openSocket(server.graphqlUrl, { token: opened.token });
    const watching = socket.subscribe(
      'subscription { jobChanges { __typename ... on JobUpdated { job { uuid } } } }',
    );
    await watching.next(({ data }) => data?.jobChanges.__typename === 'FeedReady', 'FeedReady');
    expect(await readiness(server)).toMatchObject({ httpStatus: 200, database: 'ok', listener: 'listening' });
    // One just before the restart, one before the server has found its way back: neither notifies where
    // anybody hears it.
    const silent = [await insertSilently()];
    await cluster.restart('immediate');
    silent.push(await insertSilently());
    await waitFor(async () => (await readiness(server)).httpStatus === 200, {
      describe: 'green',
    });
    await waitFor(
      async () =>
        (
          await ask(
            opened,
            'mutation { enqueueJob(input: { definition: "echo", payload: { message: "x" } }) { __typename } }',
          )
        ).data !== undefined,
      { describe: 'a job to be taken' },
    );
    // The subscription that was open before goes on without a gap.
    for (const uuid of silent)
      await watching.next(({ data }) => data?.jobChanges.job?.uuid === uuid, `the job ${uuid}`);
    await watching.next(
      ({ data }) =>
        data?.jobChanges.__typename === 'JobUpdated' && !silent.includes(data.jobChanges.job?.uuid),
      'the job that was enqueued after',
    );
    expect(socket.closeCode()).toBeNull();
    await socket.close();
    await server.stop();
  });

  it('readiness is red, and requests say UNAVAILABLE with a reference', async () => {
    const opened = await open();
    await cluster.stop();
    try {
      expect(await readiness(opened.server)).toMatchObject({ httpStatus: 503, database: 'unreachable' });
      const { errors } = await ask(opened, '{ jobs { nodes { id } } }');
      expect(errors?.[0]?.extensions.code).toBe('UNAVAILABLE');
      expect(
        (await fetch(`${opened.server.url}/health/live`, { headers: { connection: 'close' } })).status,
      ).toBe(200);
    } finally {
      await opened.server.stop();
    }
  });
});
