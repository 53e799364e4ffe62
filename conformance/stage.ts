import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { loadConfig } from '../src/config/config.ts';
import { signToken } from '../src/identity/sign-token.ts';
import { startEmbeddedPostgres } from '../src/postgres/cluster.ts';
import { startProgram } from '../test/support/program.ts';
import { waitFor } from '../test/support/wait.ts';
import { post } from './http.ts';
import type { Finite, Target } from './target.ts';

const SECRET = 'a-secret-for-conformance-that-is-long-enough';
/** The server's own, see `src/graphql/socket.ts`. */
const INIT_TIMEOUT_MS = 3_000;
const START_TIMEOUT_MS = 120_000;
const PING_WITHIN_MS = 20_000;

/** An embedded Postgres with one tenant, and server processes on it. */
export interface ConformanceStage extends AsyncDisposable {
  /**
   * Starts a server as it runs in production, but for the given settings.
   * @throws Error with its last words when it does not listen
   */
  serve(settings: Readonly<Record<string, string>>): Promise<Target>;
}

/** Starts Postgres; it and all servers are stopped with the stage. */
export async function openConformanceStage(): Promise<ConformanceStage> {
  await using opening = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'millrace-conformance-'));
  opening.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  // Run by root, the database server has a user of its own, who must get in.
  await chmod(directory, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir: join(directory, 'data'), log: () => undefined });
  opening.defer(() => postgres.stop());
  const opened = opening.move();
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: postgres.url,
    MILLRACE_DATA_DIR: join(directory, 'own'),
    MILLRACE_JWT_SECRET: SECRET,
    MILLRACE_SIGNING_SECRET: SECRET,
    PORT: '0',
  };
  return {
    serve: async (settings) => {
      const server = startProgram('src/server.ts', [], { ...env, ...settings });
      opened.defer(async () => {
        await server.interrupt();
      });
      const listening = (): string | undefined => {
        if (server.child.exitCode !== null) throw new Error(`The server ended:\n${server.stderr()}`);
        return /"url":"([^"]+)"/.exec(server.stderr())?.[1];
      };
      const url = await waitFor(listening, {
        describe: () => `the server to listen; it said:\n${server.stderr()}`,
        timeoutMs: START_TIMEOUT_MS,
      });
      const config = loadConfig(env);
      const token = await signToken(config, {
        subject: 'conformance',
        tenantId: await makeTenant(postgres.url),
        role: 'tenant_admin',
        ttlSeconds: 3_600,
      });
      return await targetOf(`${url}/graphql`, token, config.maxBodyBytes);
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function makeTenant(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    `insert into millrace.tenants (slug, name) values (gen_random_uuid()::text, 'Conformance') returning id`,
  );
  await client.end();
  return rows[0]?.id ?? '';
}

async function targetOf(url: string, token: string, maxMessageBytes: number): Promise<Target> {
  const headers = { authorization: `Bearer ${token}` };
  const api = (query: string, variables: object = {}): Promise<Record<string, unknown>> =>
    ask(url, headers, query, variables);
  const quiet = await enqueue(api);
  return {
    url,
    socketUrl: url.replace(/^http/, 'ws'),
    headers,
    init: headers,
    badInit: { authorization: 'Bearer bad' },
    initTimeoutMs: INIT_TIMEOUT_MS,
    maxMessageBytes,
    pingWithinMs: PING_WITHIN_MS,
    query: '{ viewer { __typename } }',
    safeField: '__typename',
    endless: `subscription { jobChanged(id: "${quiet}") { status } }`,
    finite: () => finiteOf(api),
  };
}

type Api = (query: string, variables?: object) => Promise<Record<string, unknown>>;

/** A job that waits until it is canceled: nobody works here. */
async function finiteOf(api: Api): Promise<Finite> {
  const id = await enqueue(api);
  return {
    query: `subscription { jobChanged(id: "${id}", untilFinal: true) { status } }`,
    finish: async () => {
      await api('mutation ($id: ID!) { cancelJob(input: { id: $id }) { __typename } }', { id });
    },
  };
}

async function enqueue(api: Api): Promise<string> {
  const { enqueueJob } = (await api(
    `mutation { enqueueJob(input: { definition: "echo", payload: { message: "conformance" } }) {
       __typename ... on EnqueueJobPayload { job { id } } ... on DomainFailure { message } } }`,
  )) as { enqueueJob: { job?: { id: string } } };
  if (enqueueJob.job === undefined) throw new Error(`No job was made: ${JSON.stringify(enqueueJob)}`);
  return enqueueJob.job.id;
}

async function ask(
  url: string,
  headers: Readonly<Record<string, string>>,
  query: string,
  variables: object,
): Promise<Record<string, unknown>> {
  const { json, text } = await post(url, { query, variables }, headers);
  if (json?.data == null || json.errors !== undefined) throw new Error(`The server answered ${text}`);
  return json.data;
}
