import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../../src/cli/call-api.ts';
import { repository } from '../repository/planted.ts';
import { startTestCluster, type TestCluster } from '../support/postgres.ts';
import { type Program, startProgram } from '../support/program.ts';
import { hasPsql, runPsqlScript } from '../support/psql.ts';
import { waitFor } from '../support/wait.ts';

// deploy/postgres-init.sh on an empty Postgres, as the image of Postgres runs it, and Millrace on the login
// that it makes.

const PASSWORD = 'OfTheLogin123';
const SECRET = 'a-secret-of-tests-that-is-long-enough-for-anyone';

let cluster: TestCluster;
let dataDir: string;
let env: Readonly<Record<string, string>>;
const programs: Program[] = [];

beforeAll(async () => {
  if (!hasPsql) return;
  cluster = await startTestCluster({ settings: { log_statement: 'all' } });
  dataDir = await mkdtemp(join(tmpdir(), 'millrace-test-compose-'));
  const url = Object.assign(new URL(cluster.url), { username: 'millrace_app', password: PASSWORD });
  env = {
    DATABASE_URL: url.href,
    MILLRACE_DATA_DIR: dataDir,
    MILLRACE_JWT_SECRET: SECRET,
    MILLRACE_SIGNING_SECRET: SECRET,
    PORT: '0',
  };
});
afterAll(async () => {
  for (const program of programs.reverse()) {
    program.child.kill('SIGTERM');
    await program.ended().catch(() => program.kill());
  }
  await cluster?.remove();
  if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
});

async function init(): Promise<void> {
  const { hostname, port, username, password, pathname } = new URL(cluster.url);
  await runPsqlScript(join(repository, 'deploy/postgres-init.sh'), {
    PGHOST: hostname,
    PGPORT: port,
    PGPASSWORD: password,
    POSTGRES_USER: username,
    POSTGRES_DB: pathname.slice(1),
    MILLRACE_DATABASE_PASSWORD: PASSWORD,
    MILLRACE_ROLES_SQL: join(repository, 'deploy/postgres-roles.sql'),
  });
}

async function millrace(...args: readonly string[]) {
  const program = startProgram('src/main.ts', args, env);
  return { code: await program.ended(), out: program.stdout(), err: program.stderr() };
}

async function start(script: string, line: RegExp): Promise<RegExpExecArray> {
  const program = startProgram(script, [], env);
  programs.push(program);
  return waitFor(() => line.exec(program.stderr()), {
    describe: () => `${script}:\n${program.stderr()}`,
  });
}

async function asLogin<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: env['DATABASE_URL'] });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe.skipIf(!hasPsql)('the database login of docker-compose.yml', () => {
  test('is made with what `millrace roles --sql` prints, any number of times, and its password is in no log', async () => {
    await init();
    await init();
    const { out } = await millrace('roles', '--sql', '--login', 'millrace_app');
    expect(await readFile(join(repository, 'deploy/postgres-roles.sql'), 'utf8')).toContain(out);
    expect(cluster.logLines.join('\n')).toContain('create role millrace_worker');
    expect(cluster.logLines.join('\n')).not.toContain(PASSWORD);
  });

  test('has no rights beyond its own database', async () => {
    expect(
      await asLogin(
        `select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = current_user`,
      ),
    ).toEqual([
      {
        rolsuper: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        rolbypassrls: false,
      },
    ]);
    for (const sql of [
      'create role another',
      'create database another',
      `alter role millrace_app superuser`,
      'create temporary table t ()',
      'select pg_read_file($$/etc/passwd$$)',
      'select * from pg_authid',
    ])
      await expect(asLogin(sql), sql).rejects.toMatchObject({ code: '42501' });
  });

  test('migrates, passes the doctor, and runs API, worker and a job', async () => {
    expect(await millrace('migrate')).toMatchObject({ code: 0, out: expect.stringMatching(/^applied /) });
    const doctor = await millrace('doctor', '--json');
    const { findings } = JSON.parse(doctor.out) as {
      findings: { check: string; verdict: string; message: string }[];
    };
    expect(findings.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    const classifyError = (name: string) => findings.find(({ check }) => check === name)?.verdict;
    for (const check of ['login', 'migrations', 'roles', 'row-security', 'temporary'])
      expect([check, classifyError(check)]).toEqual([check, 'ok']);

    const [, url = ''] = await start('src/server.ts', /"url":"([^"]+)"/);
    await start('workers/main.ts', /worker: started/);
    expect(await millrace('tenant', 'create', '--slug', 'acme', '--name', 'Acme')).toMatchObject({ code: 0 });
    const created = await millrace('token', 'create', '--tenant', 'acme', '--role', 'member');
    const api = <Data>(query: string, variables: Record<string, unknown> = {}) =>
      callApi<Data>({ graphqlUrl: `${url}/graphql`, token: created.out.trim() }, query, variables);
    const { enqueueJob } = await api<{ enqueueJob: { job: { id: string } } }>(
      `mutation { enqueueJob(input: { definition: "echo", payload: { message: "x" } }) {
         ... on EnqueueJobPayload { job { id } } ... on DomainFailure { message } } }`,
    );
    await waitFor(
      async () =>
        (
          await api<{ job: { status: string } }>('query ($id: ID!) { job(id: $id) { status } }', {
            id: enqueueJob.job.id,
          })
        ).job.status === 'SUCCEEDED',
      { describe: 'the job to succeed' },
    );
  });
});
