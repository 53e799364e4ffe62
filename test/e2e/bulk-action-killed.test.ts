import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { signToken } from '../../src/identity/sign-token.ts';
import { createTestDatabase } from '../support/database.ts';
import { type Program, startProgram } from '../support/program.ts';
import { restClient } from '../support/rest.ts';
import { connectSuperuser } from '../support/superuser.ts';
import { waitFor } from '../support/wait.ts';

const JOBS = 5_000;
const SECRET = 'a-secret-of-this-test-that-is-long-enough';

async function urlOf(program: Program): Promise<string> {
  const line = await waitFor(
    () =>
      program
        .stderr()
        .split('\n')
        .find((each) => each.includes('server: listening')),
    { describe: () => `the server to listen; it said ${program.stderr().slice(-2_000)}` },
  );
  return (JSON.parse(line) as { url: string }).url;
}

it('a bulk action over 5,000 jobs goes on after its server was killed in the middle, and counts each job once', async () => {
  const database = await createTestDatabase();
  const superuser = await connectSuperuser(database.url);
  const holder = await connectSuperuser(database.url);
  const programs: Program[] = [];
  const serve = (): Program => {
    const program = startProgram('src/server.ts', [], {
      DATABASE_URL: database.url,
      PORT: '0',
      MILLRACE_JWT_SECRET: SECRET,
      MILLRACE_SIGNING_SECRET: SECRET,
    });
    programs.push(program);
    return program;
  };
  const row = async () => {
    const { rows } = await superuser.query(
      'select status, done_count as done, matched_count as matched from millrace.bulk_actions',
    );
    return rows[0];
  };
  try {
    const { rows } = await superuser.query(
      'insert into millrace.tenants (slug, name) values ($1, $1) returning id',
      [`t-${randomUUID()}`],
    );
    const tenantId = rows[0].id;
    const first = serve();
    const url = await urlOf(first);
    await superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id, payload, scheduled_for)
       select $1, id, '{"message": "x"}', now() + interval '1 day'
       from millrace.job_definitions, generate_series(1, $2) where key = 'echo'`,
      [tenantId, JOBS],
    );
    const token = await signToken(loadConfig({ MILLRACE_JWT_SECRET: SECRET }), {
      subject: 'alice',
      tenantId,
      role: 'tenant_admin',
      ttlSeconds: 86_400,
    });
    // Its last batch waits for this one, so that there is time to kill its server.
    await holder.query('begin');
    await holder.query(
      'select from millrace.jobs where id = (select id from millrace.jobs order by id desc limit 1) for update',
    );
    const begun = await restClient(url, token).post('/jobs/bulk/cancel', { filter: { status: ['queued'] } });
    expect(begun.status).toBe(202);
    await waitFor(async () => (await row()).done > 0, {
      describe: 'its first batch',
      pollMs: 5,
    });
    await first.kill();
    const atKill = await row();
    await holder.query('rollback');
    expect(atKill).toMatchObject({ status: 'running', matched: JOBS });
    expect(atKill.done).toBeLessThan(JOBS);
    await urlOf(serve());
    await waitFor(async () => (await row()).status !== 'running', { describe: 'its end' });
    expect(await row()).toEqual({ status: 'succeeded', done: JOBS, matched: JOBS });
    const canceled = await superuser.query(
      `select (select count(*)::integer from millrace.jobs where status = 'canceled') as jobs,
         (select sum((details ->> 'changedCount')::integer)::integer from millrace.audit_log where action = 'jobs.cancel') as audited`,
    );
    expect(canceled.rows[0]).toEqual({ jobs: JOBS, audited: JOBS });
  } finally {
    for (const program of programs) await program.kill();
    await holder.end();
    await superuser.end();
    await database.drop();
  }
});
