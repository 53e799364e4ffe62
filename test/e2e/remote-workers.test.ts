import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { SYSTEM_TENANT_ID } from '../../src/core/ids.ts';
import type { Database } from '../../src/db/database.ts';
import { rescueJobs } from '../../src/db/sql/queue/rescue-jobs.ts';
import { signToken } from '../../src/identity/sign-token.ts';
import { type Break, startBreakingProxy } from '../support/breaking-proxy.ts';
import { createTestDatabase } from '../support/database.ts';
import { type Program, startProgram } from '../support/program.ts';
import { openDatabase } from '../support/queue.ts';
import { type RestClient, restClient } from '../support/rest.ts';
import { connectSuperuser } from '../support/superuser.ts';
import { waitFor } from '../support/wait.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/remote-workers/', import.meta.url));
/** Long enough that a busy machine renews it in time. */
const LEASE_SECONDS = 8;
const SECRET = 'a-secret-of-tests-that-is-long-enough-for-anyone';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let superuser: pg.Client;
let db: Database;
let server: Program;
let url: string;
let admin: RestClient;
let key: string;
let tenantId: string;
const workers: ChildProcess[] = [];

function startServer(port: string): Program {
  return startProgram('src/server.ts', [], {
    DATABASE_URL: database.url,
    PORT: port,
    HOST: '127.0.0.1',
    MILLRACE_JWT_SECRET: SECRET,
    MILLRACE_SIGNING_SECRET: SECRET,
    MILLRACE_LOG_LEVEL: 'info',
  });
}

async function urlOf(program: Program): Promise<string> {
  const line = await waitFor(
    () =>
      program
        .stderr()
        .split('\n')
        .find((each) => each.includes('server: listening')),
    { describe: () => `the server; it said:\n${program.stderr().slice(-2000)}` },
  );
  return JSON.parse(line).url;
}

beforeAll(async () => {
  database = await createTestDatabase();
  superuser = await connectSuperuser(database.url);
  db = openDatabase(database.url);
  server = startServer('0');
  url = await urlOf(server);
  const { rows } = await superuser.query(
    `insert into millrace.tenants (slug, name) values ('shop', 'Shop') returning id`,
  );
  tenantId = rows[0].id;
  const config = loadConfig({ MILLRACE_JWT_SECRET: SECRET, MILLRACE_SIGNING_SECRET: SECRET });
  const token = (tenant: string, role: 'tenant_admin' | 'super_admin') =>
    signToken(config, { subject: 'ops', tenantId: tenant, role, ttlSeconds: 86_400 });
  admin = restClient(url, await token(tenantId, 'tenant_admin'));
  const ask = async (asker: string, query: string) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close', authorization: `Bearer ${asker}` },
      body: JSON.stringify({ query }),
    });
    return (await response.json()) as { data: Record<string, { secret?: string; code?: string }> };
  };
  const made = await ask(
    await token(SYSTEM_TENANT_ID, 'super_admin'),
    `mutation { createJobDefinition(input: { key: "shout", leaseSeconds: ${LEASE_SECONDS}, payloadSchema: { type: "object" } }) { ... on DomainFailure { code message } } }`,
  );
  expect(made.data['createJobDefinition'], JSON.stringify(made)).toEqual({});
  const answer = await ask(
    await token(tenantId, 'tenant_admin'),
    `mutation { createApiKey(input: { name: "w", role: WORKER, definitionKeys: ["shout"] }) {
       ... on CreateApiKeyPayload { secret } ... on DomainFailure { code message } } }`,
  );
  key = answer.data['createApiKey']?.secret ?? '';
  expect(key, JSON.stringify(answer)).toMatch(/^mr_/);
});
afterEach(async () => {
  for (const child of workers.splice(0)) await kill(child, 'SIGKILL');
});
afterAll(async () => {
  await server.kill();
  await db.close();
  await superuser.end();
  await database.drop();
});

function startWorker(script: string, serverUrl = url): ChildProcess {
  const child = spawn(`${EXAMPLES}${script}`, {
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      MILLRACE_URL: serverUrl,
      MILLRACE_KEY: key,
      MILLRACE_JOB_TYPES: 'shout',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own: what bash has started dies with it.
    detached: true,
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  workers.push(child);
  return child;
}
let said = '';

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-(child.pid as number), signal);
  await gone;
}

async function enqueue(payload: object): Promise<string> {
  const { status, body } = await admin.post('/jobs', { definition_key: 'shout', payload });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}

async function job(id: string) {
  const { rows } = await superuser.query('select * from millrace.jobs where id = $1', [id]);
  return rows[0];
}

/** Waits for the job's end; puts back what its worker lost, as the leader of the workers does. */
function ended(id: string) {
  return waitFor(
    async () => {
      await db.asWorker(rescueJobs, [100, 1e9]);
      const row = await job(id);
      return /succeeded|failed|dead_letter|canceled/.test(row.status) ? row : null;
    },
    { describe: () => `job ${id} to end; the workers said: ${said.slice(-1000)}`, pollMs: 100 },
  );
}

/**
 * A job whose worker was killed while it ran it; one that ends first, on a machine that looks late, is
 * followed by another.
 */
async function killedInTheMiddle(script: string, worker: ChildProcess): Promise<string> {
  for (let victim = worker; ; victim = startWorker(script)) {
    const id = await enqueue({ message: 'again', durationMs: 1_500 });
    await waitFor(async () => (await job(id)).status !== 'queued', {
      describe: () => `job ${id} to begin; the workers said: ${said.slice(-1000)}`,
    });
    await kill(victim, 'SIGKILL');
    if ((await job(id)).status === 'running') return id;
  }
}

const running = (id: string) =>
  waitFor(async () => (await job(id)).status === 'running', {
    describe: () => `job ${id} to begin; the workers said: ${said.slice(-1000)}`,
  });

/**
 * A job that this very worker runs: one of before, which was killed while it asked for jobs, may be given
 * another on its way to the server's notice.
 */
async function runningAt(worker: ChildProcess, payload: object): Promise<string> {
  for (;;) {
    const id = await enqueue(payload);
    await running(id);
    if ((await job(id)).claimed_by_worker.endsWith(`-${worker.pid}`)) return id;
  }
}

describe.each(['worker.py', 'worker.sh'])('The example %s', (script) => {
  it('runs jobs, and a job whose worker is killed is run again, with one result.', async () => {
    const first = startWorker(script);
    const quick = await ended(await enqueue({ message: 'hello' }));
    expect(quick).toMatchObject({
      status: 'succeeded',
      result: { echo: 'hello' },
      run_no: 1,
      attempt_count: 0,
    });
    expect(quick.claimed_by_worker).toMatch(/^remote:key:/);
    const id = await killedInTheMiddle(script, first);
    const second = startWorker(script);
    const done = await ended(id);
    expect(done).toMatchObject({ status: 'succeeded', result: { echo: 'again' }, run_no: 2 });
    expect(done.result.by).toContain(`-${second.pid}`);
    const attempts = await superuser.query(
      'select attempt_no, status from millrace.job_attempts where job_id = $1 order by attempt_no',
      [id],
    );
    expect(attempts.rows).toEqual([
      { attempt_no: 1, status: 'lost' },
      { attempt_no: 2, status: 'succeeded' },
    ]);
  });

  it('goes on when the server is killed and comes back.', async () => {
    const worker = startWorker(script);
    const id = await runningAt(worker, { message: 'through', durationMs: 1_500 });
    await server.kill();
    server = startServer(new URL(url).port);
    expect(await urlOf(server)).toBe(url);
    // Nobody has put the job back meanwhile, so the run still has it.
    const done = await waitFor(async () => ((await job(id)).status === 'succeeded' ? await job(id) : null), {
      describe: () => `job ${id} to be completed; the workers said: ${said.slice(-1000)}`,
    });
    expect(done).toMatchObject({ result: { echo: 'through' }, run_no: 1 });
    expect(await ended(await enqueue({ message: 'next' }))).toMatchObject({ status: 'succeeded' });
  });

  it('repeats what a broken connection took, before the server had it or after.', async () => {
    const breaks: Record<string, Break[]> = {
      '/claim': ['before'],
      '/complete': ['before', 'halfway', 'after'],
    };
    const proxy = await startBreakingProxy(url, breaks);
    try {
      const id = await enqueue({ message: 'again' });
      startWorker(script, proxy.url);
      expect(await ended(id)).toMatchObject({ status: 'succeeded', result: { echo: 'again' }, run_no: 1 });
      await waitFor(() => breaks['/complete']?.length === 0, { describe: () => JSON.stringify(breaks) });
      expect(await ended(await enqueue({ message: 'next' }))).toMatchObject({ status: 'succeeded' });
    } finally {
      await proxy.close();
    }
  });
});
