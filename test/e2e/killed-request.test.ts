import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { signToken } from '../../src/identity/sign-token.ts';
import { type CommitProxy, startCommitProxy } from '../support/commit-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Program, startProgram } from '../support/program.ts';
import { restClient } from '../support/rest.ts';
import { connectSuperuser } from '../support/superuser.ts';
import { waitFor } from '../support/wait.ts';

const SECRET = 'a-secret-of-tests-that-is-long-enough-for-anyone';
const ENV = {
  PORT: '0',
  HOST: '127.0.0.1',
  MILLRACE_JWT_SECRET: SECRET,
  MILLRACE_SIGNING_SECRET: SECRET,
  MILLRACE_LOG_LEVEL: 'info',
  MILLRACE_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
};

let database: TestDatabase;
let superuser: pg.Client;
let proxy: CommitProxy;
const programs: Program[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  [superuser, proxy] = [await connectSuperuser(database.url), await startCommitProxy(database.url)];
});
afterAll(async () => {
  for (const program of programs) await program.kill();
  await proxy.close();
  await superuser.end();
  await database.drop();
});

async function startServer(): Promise<{ readonly program: Program; readonly url: string }> {
  const program = startProgram('src/server.ts', [], { ...ENV, DATABASE_URL: proxy.url });
  programs.push(program);
  const line = await waitFor(
    () =>
      program
        .stderr()
        .split('\n')
        .find((each) => each.includes('server: listening')),
    {
      describe: () => `the server; it said:\n${program.stderr().slice(-2000)}`,
    },
  );
  return { program, url: JSON.parse(line).url };
}

test('a server that is killed between its commit and its answer leaves the answer to the next one', async () => {
  const { rows } = await superuser.query(
    `insert into millrace.tenants (slug, name) values ('shop', 'Shop') returning id`,
  );
  const tenantId = rows[0].id;
  const config = loadConfig({ MILLRACE_JWT_SECRET: SECRET, MILLRACE_SIGNING_SECRET: SECRET });
  const token = await signToken(config, {
    subject: 'ops',
    tenantId,
    role: 'tenant_admin',
    ttlSeconds: 86_400,
  });
  const requests = [
    ['/jobs', { definition_key: 'echo', payload: { message: 'Once' } }, 201],
    ['/webhooks/endpoints', { label: 'Shop', url: 'https://example.com/hooks' }, 201],
  ] as const;
  for (const [path, body, status] of requests) {
    const send = (url: string) =>
      restClient(url, token).post(path, body, { 'idempotency-key': `killed${path}` });
    const first = await startServer();
    proxy.loseCommitOf('record_idempotent_outcome', () => first.program.child.kill('SIGKILL'));
    await expect(send(first.url)).rejects.toThrow('fetch failed');
    await first.program.ended();
    const second = await startServer();
    const answer = await send(second.url);
    expect([answer.status, answer.headers.get('idempotency-replayed')], path).toEqual([status, 'true']);
    expect((await send(second.url)).body, path).toEqual(answer.body);
    await second.program.kill();
  }
  const count = await superuser.query(
    `select (select count(*)::int from millrace.jobs) as jobs, (select count(*)::int from millrace.webhook_endpoints) as endpoints,
       (select count(*)::int from millrace.idempotency_keys where body like '%whsec_%') as readable`,
  );
  // The secret of the endpoint was in the answer: it does not lie in the database for a day.
  expect(count.rows).toEqual([{ jobs: 1, endpoints: 1, readable: 0 }]);
});
