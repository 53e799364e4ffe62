import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMillraceClient, type MillraceClient } from '../../src/client/index.ts';
import { loadConfig } from '../../src/config/config.ts';
import { migrate } from '../../src/db/migrate/migrate.ts';
import { signToken } from '../../src/identity/sign-token.ts';
import { openServer, type RunningServer } from '../../src/open-server.ts';
import { startTestCluster, type TestCluster } from '../support/postgres.ts';
import { silentLog } from '../support/queue.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { waitFor } from '../support/wait.ts';
import { QUICK } from './watching.ts';

const SECRET = 'a-secret-of-tests-that-is-long-enough-for-anyone';
let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startTestCluster({ settings: { full_page_writes: 'on' } });
  await migrate({ connectionString: cluster.url });
});
afterAll(() => cluster.remove());

async function open(): Promise<{ readonly server: RunningServer; readonly token: string }> {
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

/** Tries until the database is back. */
async function enqueue(client: MillraceClient): Promise<string> {
  return await waitFor(
    () =>
      client.enqueue({ definition: 'echo', payload: { message: 'x' } }).then(
        ({ job }) => job.id,
        (error: { isRetryable?: boolean }) => {
          if (error.isRetryable !== true) throw error;
          return null;
        },
      ),
    { describe: 'a job to be taken' },
  );
}

it('watches on both transports go on after Postgres was killed and started again, with nothing missing', async () => {
  const { server, token } = await open();
  const clients = (['ws', 'sse'] as const).map((transport) =>
    createMillraceClient({ url: server.graphqlUrl, token: () => token, transport, backoff: QUICK }),
  );
  const [caller] = clients as [MillraceClient];
  const views = clients.map((client) => client.viewJobs());
  const before = await enqueue(caller);
  for (const view of views)
    await waitFor(() => view.state.isReady && view.state.jobs[0]?.id === before, {
      describe: 'the first job',
    });
  await cluster.crash();
  await cluster.restart('immediate');
  const after = await enqueue(caller);
  for (const view of views) {
    await waitFor(
      () => view.state.jobs.length === 2 && view.state.isReady && view.state.jobs[0]?.id === after,
      {
        describe: () => `both jobs; there are ${JSON.stringify(view.state)}`,
      },
    );
    expect(view.state.isComplete).toBe(true);
    view.close();
  }
  for (const client of clients) client.close();
  await server.stop();
});
