import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { signToken } from '../../src/identity/sign-token.ts';
import { findFreePort } from '../../src/postgres/free-port.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Program, startProgram } from '../support/program.ts';
import { waitFor } from '../support/wait.ts';
import { openSocket, type TestSocket, type TestSubscription } from '../support/ws.ts';

const SECRET = 'a-secret-of-tests-that-is-long-enough-for-anyone';
const CHANGES = `subscription ($after: String) { jobChanges(after: $after) { __typename
  ... on JobUpdated { cursor job { uuid } } ... on FeedReady { cursor } ... on FeedCheckpoint { cursor } } }`;
const ENQUEUE =
  'mutation { enqueueJob(input: { definition: "echo", payload: { message: "x" } }) { ... on EnqueueJobPayload { job { uuid } } } }';
/** This many connections go to one of two processes alone once in 30,000 times. */
const WATCHERS = 16;

/**
 * Watches as a client should: comes back with the last cursor whenever its socket is closed, and keeps what
 * it has seen.
 */
class Watcher {
  readonly seen: string[] = [];
  readonly closeCodes: number[] = [];
  isReady = false;
  #cursor: string | null = null;
  #socket: TestSocket;
  #subscription: TestSubscription;
  #taken = 0;
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
    this.#socket = openSocket(url, { token });
    this.#subscription = this.#socket.subscribe(CHANGES, { after: null });
  }

  /** Takes what has come; once the socket is closed, and if it may, opens another. */
  look(mayReturn = true): void {
    for (const { data } of this.#subscription.received.slice(this.#taken)) {
      this.#taken++;
      const { cursor, job } = data?.jobChanges ?? {};
      this.#cursor = cursor ?? this.#cursor;
      if (job !== undefined) this.seen.push(job.uuid);
      if (data?.jobChanges.__typename === 'FeedReady') this.isReady = true;
    }
    const code = this.#socket.closeCode();
    if (code === null || !mayReturn) return;
    this.closeCodes.push(code);
    this.#socket = openSocket(this.#url, { token: this.#token });
    this.#subscription = this.#socket.subscribe(CHANGES, { after: this.#cursor });
    this.#taken = 0;
  }

  lastCode(): number | null {
    return this.#socket.closeCode();
  }

  close(): Promise<void> {
    return this.#socket.close();
  }
}

describe('two API processes on one port', () => {
  let database: TestDatabase;
  let dataDir: string;
  let servers: Program[] = [];
  let url: string;
  let token: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'millrace-test-two-servers-'));
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    const env = {
      DATABASE_URL: database.url,
      PORT: String(port),
      MILLRACE_REUSE_PORT: 'true',
      MILLRACE_JWT_SECRET: SECRET,
      MILLRACE_SIGNING_SECRET: SECRET,
      MILLRACE_DATA_DIR: dataDir,
      // More than a busy machine takes: what has not ended by then is cut off.
      MILLRACE_SHUTDOWN_SECONDS: '100',
    };
    servers = [startProgram('src/server.ts', [], env), startProgram('src/server.ts', [], env)];
    for (const server of servers) {
      await waitFor(() => server.stderr().includes('server: listening') || server.child.exitCode !== null, {
        describe: () => `a server to listen; it said ${server.stderr().slice(-2000)}`,
      });
    }
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(
      'insert into millrace.tenants (slug, name) values ($1, $1) returning id',
      [`t-${randomUUID()}`],
    );
    await client.end();
    token = await signToken(loadConfig({ MILLRACE_JWT_SECRET: SECRET }), {
      subject: 'alice',
      tenantId: rows[0].id,
      role: 'tenant_admin',
      ttlSeconds: 86_400,
    });
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Each over a connection of its own, so that either process may get it. */
  async function enqueue(count: number): Promise<readonly string[]> {
    return Promise.all(
      Array.from({ length: count }, async () => {
        const response = await fetch(`${url}/graphql`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            connection: 'close',
            authorization: `Bearer ${token}`,
          },
          body: JSON.stringify({ query: ENQUEUE }),
        });
        const { data } = (await response.json()) as { data: { enqueueJob: { job: { uuid: string } } } };
        return data.enqueueJob.job.uuid;
      }),
    );
  }

  it('what is written through either reaches the watchers of both; those of a killed one come back by cursor without a gap; a stopped one says 1012 and ends', async () => {
    const watchers = Array.from({ length: WATCHERS }, () => new Watcher(`${url}/graphql`, token));
    const haveSeen = async (ids: readonly string[], what: string) =>
      waitFor(
        () => {
          for (const watcher of watchers) watcher.look();
          return watchers.every(({ seen, isReady }) => isReady && ids.every((id) => seen.includes(id)));
        },
        { describe: what },
      );
    await haveSeen([], 'all to be ready');
    await haveSeen(await enqueue(8), 'all to see the jobs of both');

    const [first, second] = servers as [Program, Program];
    await first.kill();
    await haveSeen(await enqueue(8), 'all to see what came after one was killed');
    // Of the one that was killed; a busy server may have ended another for a reason, and says so.
    const returned = watchers.filter(({ closeCodes }) => closeCodes.includes(1006)).length;
    expect(returned).toBeGreaterThan(0);
    expect(returned).toBeLessThan(WATCHERS);

    second.child.kill('SIGTERM');
    await waitFor(() => watchers.every((watcher) => watcher.lastCode() !== null), {
      describe: 'every socket to be closed',
    });
    expect(new Set(watchers.map((watcher) => watcher.lastCode()))).toEqual(new Set([1012]));
    expect(await second.ended()).toBe(0);
    await Promise.all(watchers.map((watcher) => watcher.close()));
  });
});
