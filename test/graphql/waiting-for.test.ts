import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';

let api: TestApi;
let member: string;
let tenantId: string;
let definitionId: string;
const sql = (text: string, values: readonly unknown[] = []) => api.superuser.query(text, [...values]);

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  tenantId = await api.makeTenant();
  member = await api.token(tenantId, 'member');
  await sql(
    'truncate millrace.jobs, millrace.limit_gates, millrace.lane_limits, millrace.job_workers cascade',
  );
  const { rows } = await sql(
    `update millrace.job_definitions set paused_at = null, max_running = null, max_running_per_tenant = null,
       rate_limit_count = null, rate_limit_period_seconds = null
     where key = 'echo' returning id`,
  );
  definitionId = rows[0].id;
  await worker(['echo']);
});

const worker = (keys: readonly string[]) =>
  sql(
    `insert into millrace.job_workers (worker_id, hostname, pid, definition_keys, concurrency)
     values (gen_random_uuid()::text, 'h', 1, $1, 1)`,
    [keys],
  );

async function insertJob(columns: Record<string, unknown> = {}, tenant = tenantId): Promise<string> {
  const all: Record<string, unknown> = { tenant_id: tenant, definition_id: definitionId, ...columns };
  const names = Object.keys(all);
  const { rows } = await sql(
    `insert into millrace.jobs (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')}) returning id`,
    Object.values(all),
  );
  return rows[0].id;
}

const insertRunning = (tenant = tenantId) =>
  insertJob(
    {
      status: 'running',
      run_no: 1,
      lease_token: '00000000-0000-4000-8000-000000000001',
      lease_expires_at: new Date(Date.now() + 60_000),
    },
    tenant,
  );

async function waitOf(
  id: string,
): Promise<{ reason: string; message: string; endsAt: string | null } | null> {
  const answer = await api.query(
    member,
    'query ($id: ID!) { job(id: $id) { waitingFor { reason message endsAt } } }',
    { id },
  );
  expect(answer.errors).toEqual([]);
  return answer.data.job.waitingFor;
}

describe('what a queued job waits for', () => {
  it('is its turn when nothing else is in its way, and nothing once it runs', async () => {
    expect(await waitOf(await insertJob())).toEqual({
      reason: 'TURN',
      message: 'It is ready, and waits for its turn and a free worker.',
      endsAt: null,
    });
    expect(await waitOf(await insertRunning())).toBeNull();
  });

  it('is its time', async () => {
    const until = new Date(Date.now() + 3_600_000);
    expect(await waitOf(await insertJob({ scheduled_for: until }))).toEqual({
      reason: 'TIME',
      message: `It is not to start before ${until.toISOString()}.`,
      endsAt: until.toISOString(),
    });
  });

  it('is the jobs that it depends on', async () => {
    expect(await waitOf(await insertJob({ pending_dependencies: 2 }))).toMatchObject({
      reason: 'DEPENDENCY',
      message: '2 jobs that it depends on have not ended.',
    });
  });

  it('is a pause of its definition or of its tenant, whatever its time', async () => {
    const id = await insertJob({ scheduled_for: new Date(Date.now() + 3_600_000) });
    await sql('update millrace.tenants set paused_at = now() where id = $1', [tenantId]);
    expect(await waitOf(id)).toMatchObject({ reason: 'PAUSED', message: 'Its tenant is paused.' });
    await sql('update millrace.job_definitions set paused_at = now() where id = $1', [definitionId]);
    expect(await waitOf(id)).toMatchObject({ reason: 'PAUSED', message: 'Its definition is paused.' });
  });

  it('is a worker, when none that lives knows its definition', async () => {
    await sql('truncate millrace.job_workers');
    await worker(['transcode']);
    const id = await insertJob();
    expect(await waitOf(id)).toMatchObject({ reason: 'NO_WORKER' });
    await worker(['echo']);
    expect(await waitOf(id)).toMatchObject({ reason: 'TURN' });
    await sql(`update millrace.job_workers set last_seen_at = now() - interval '1 hour'`);
    expect(await waitOf(id)).toMatchObject({ reason: 'NO_WORKER' });
  });

  it('is a limit of its definition, of which it says no more than that it is reached', async () => {
    const other = await api.makeTenant();
    await sql('update millrace.job_definitions set max_running = 2 where id = $1', [definitionId]);
    await insertRunning(other);
    const id = await insertJob();
    expect(await waitOf(id)).toMatchObject({ reason: 'TURN' });
    await insertRunning(other);
    expect(await waitOf(id)).toEqual({
      reason: 'LIMIT',
      message: 'Its definition is at the limit of 2 running jobs.',
      endsAt: null,
    });
  });

  it('is a limit of its tenant, or of its definition within the tenant', async () => {
    const id = await insertJob();
    await insertRunning();
    await sql('insert into millrace.lane_limits (tenant_id, definition_id, max_running) values ($1, $2, 1)', [
      tenantId,
      definitionId,
    ]);
    expect(await waitOf(id)).toMatchObject({
      message: 'Its definition is, within its tenant, at the limit of 1 running job.',
    });
    await sql('update millrace.tenants set max_running = 1 where id = $1', [tenantId]);
    expect(await waitOf(id)).toMatchObject({ message: 'Its tenant is at the limit of 1 running job.' });
  });

  it('is a rate, with the time at which the next may start', async () => {
    await sql(
      'update millrace.job_definitions set rate_limit_count = 1, rate_limit_period_seconds = 600 where id = $1',
      [definitionId],
    );
    await insertJob();
    await sql(
      `select * from millrace.claim_jobs('w', array[$1::uuid], 1, 0, '{}', null, null, 0, 32, null, null, null, null, null, null, true)`,
      [definitionId],
    );
    const wait = await waitOf(await insertJob());
    expect(wait).toMatchObject({
      reason: 'RATE',
      message: 'Its definition is at the rate of 1 start in 600 s.',
    });
    const inSeconds = (new Date(wait?.endsAt ?? 0).getTime() - Date.now()) / 1000;
    expect(inSeconds).toBeGreaterThan(560);
    expect(inSeconds).toBeLessThanOrEqual(630);
  });

  it('is its own end, when it has expired or somebody has canceled it', async () => {
    expect(await waitOf(await insertJob({ expires_at: new Date(Date.now() - 1000) }))).toMatchObject({
      reason: 'EXPIRED',
    });
    expect(await waitOf(await insertJob({ cancel_requested_at: new Date() }))).toMatchObject({
      reason: 'DOOMED',
    });
  });

  it('is nothing to the API for a job of another tenant, by whatever id', async () => {
    const other = await api.makeTenant();
    const id = await insertJob({}, other);
    await sql('begin');
    await sql(`set local role millrace_api`);
    await sql(`select set_config('millrace.tenant_id', $1, true)`, [tenantId]);
    const { rows } = await sql('select * from millrace.waiting_for(array[$1::uuid])', [id]);
    await sql('rollback');
    expect(rows).toEqual([]);
  });
});
