import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { loadConfig } from '../../src/config/config.ts';
import type { Role } from '../../src/core/actor.ts';
import type { RunTick } from '../../src/core/tick.ts';
import type { HttpTimes } from '../../src/http/times.ts';
import { signToken } from '../../src/identity/sign-token.ts';
import { openServer, type RunningServer } from '../../src/open-server.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import { createTestDatabase } from './database.ts';
import { registerOpen } from './leaks.ts';
import { silentLog } from './queue.ts';
import { connectSuperuser } from './superuser.ts';

export interface GraphqlAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are as different as the documents; the tests say what they expect
  readonly data: any;
  readonly errors: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions?: Readonly<Record<string, unknown>>;
  }[];
}

export interface TokenOptions {
  readonly subject?: string;
  readonly ttlSeconds?: number | null;
}

/**
 * The real server on a port and a database of its own, with a superuser's client beside it for looking and
 * meddling.
 */
export interface TestApi {
  readonly server: RunningServer;
  readonly url: string;
  readonly databaseUrl: string;
  /** How the server reaches it: through `via`, where that is given. */
  readonly serverDatabaseUrl: string;
  readonly storageDir: string;
  readonly superuser: pg.Client;
  makeTenant(): Promise<string>;
  token(tenantId: string, role: Role, options?: TokenOptions): Promise<string>;
  query(token: string | null, document: string, variables?: object, headers?: object): Promise<GraphqlAnswer>;
  /** Stops the server, does something meanwhile, and opens another one on the same port and database. */
  restart(meanwhile?: () => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

/** What tests sign tokens of their own with. */
export const TEST_SECRET = 'a-secret-of-tests-that-is-long-enough-for-anyone';

/** Starts one; to be closed in `afterAll`. `env` is laid over the test's own settings. */
export async function startTestApi(
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly log?: Logger;
    readonly times?: HttpTimes;
    /** In place of the worker that `millrace start` has beside its API. */
    readonly runTick?: RunTick;
    /**
     * Puts something before the database: the server goes through it, the superuser does not. `env` may need
     * the direct URL.
     */
    readonly via?: (databaseUrl: string) => Promise<{
      readonly url: string;
      readonly env?: Readonly<Record<string, string>>;
      close(): Promise<void>;
    }>;
  } = {},
): Promise<TestApi> {
  const database = await createTestDatabase();
  const way = await options.via?.(database.url);
  const storageDir = await mkdtemp(join(tmpdir(), 'millrace-test-api-'));
  const closed = registerOpen(`directory ${storageDir}`);
  const config = loadConfig({
    PORT: '0',
    MILLRACE_JWT_SECRET: TEST_SECRET,
    MILLRACE_SIGNING_SECRET: TEST_SECRET,
    MILLRACE_STORAGE_DIR: storageDir,
    MILLRACE_LOG_LEVEL: 'silent',
    ...options.env,
    ...way?.env,
  });
  const open = (port: number): Promise<RunningServer> =>
    openServer({
      config: { ...config, port },
      databaseUrl: way?.url ?? database.url,
      log: options.log ?? silentLog,
      // As the real one starts: a database that is slow to connect to is waited for.
      awaits: new AbortController().signal,
      ...(options.times && { times: options.times }),
      ...(options.runTick && { runTick: options.runTick }),
    });
  let server = await open(0);
  const superuser = await connectSuperuser(database.url);
  return {
    get server() {
      return server;
    },
    url: server.url,
    databaseUrl: database.url,
    serverDatabaseUrl: way?.url ?? database.url,
    storageDir,
    superuser,
    makeTenant: async () => {
      const { rows } = await superuser.query(
        'insert into millrace.tenants (slug, name) values ($1, $1) returning id',
        [`t-${randomUUID()}`],
      );
      return rows[0].id;
    },
    token: (tenantId, role, { subject = 'alice', ttlSeconds = 86_400 } = {}) =>
      signToken(config, { subject, tenantId, role, ttlSeconds }),
    query: (token, document, variables = {}, headers = {}) =>
      post(server.graphqlUrl, token, { query: document, variables }, headers),
    restart: async (meanwhile) => {
      const port = Number(new URL(server.url).port);
      await server.stop();
      await meanwhile?.();
      server = await open(port);
    },
    close: async () => {
      await superuser.end();
      await server.stop();
      await way?.close();
      await database.drop();
      await rm(storageDir, { recursive: true, force: true });
      closed();
    },
  };
}

async function post(
  graphqlUrl: string,
  token: string | null,
  body: object,
  headers: object,
): Promise<GraphqlAnswer> {
  const response = await fetch(graphqlUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      // One connection a request: a kept one would count as left open at the end of the file.
      connection: 'close',
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Partial<GraphqlAnswer>;
  return { status: response.status, data: answer.data ?? null, errors: answer.errors ?? [] };
}
