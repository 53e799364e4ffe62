import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SYSTEM_TENANT_ID } from '../../src/core/ids.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { type RestClient, restClient } from '../support/rest.ts';
import { waitFor } from '../support/wait.ts';

let api: TestApi;
let tenantId: string;
let otherTenant: string;
let admin: RestClient;
let worker: RestClient;
let others: RestClient;
let platform: RestClient;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  otherTenant = await api.makeTenant();
  const as = async (tenant: string, role: 'worker' | 'tenant_admin') =>
    restClient(api.url, await api.token(tenant, role));
  admin = await as(tenantId, 'tenant_admin');
  worker = await as(tenantId, 'worker');
  others = await as(otherTenant, 'worker');
  platform = await as(SYSTEM_TENANT_ID, 'worker');
});
afterAll(() => api.close());
beforeEach(() => api.superuser.query(`delete from millrace.jobs where status = 'queued'`));

async function enqueue(fields: object = {}): Promise<string> {
  const { status, body } = await admin.post('/jobs', {
    definition_key: 'echo',
    payload: { message: 'for a program' },
    ...fields,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}

async function claim(by: RestClient = worker, fields: object = {}) {
  const { status, body } = await by.post('/worker/claim', {
    worker: 'w1',
    job_types: ['echo'],
    wait_seconds: 0,
    ...fields,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.jobs;
}

async function job(id: string) {
  const { rows } = await api.superuser.query('select * from millrace.jobs where id = $1', [id]);
  return rows[0];
}

const verb = (
  by: RestClient,
  claimed: { job_id: string; run_no: number; token: string },
  name: string,
  body = {},
) =>
  by.post(`/worker/jobs/${claimed.job_id}/${name}`, {
    run_no: claimed.run_no,
    token: claimed.token,
    ...body,
  });

describe('A remote worker', () => {
  it('claims a job with its payload and its lease, and completes it with a result and a next job.', async () => {
    const id = await enqueue({ subject: { type: 'order', key: '7' }, correlation_id: 'c-7' });
    const [claimed] = await claim();
    expect(claimed).toMatchObject({
      job_id: id,
      run_no: 1,
      definition_key: 'echo',
      payload: { message: 'for a program' },
      tenant_id: tenantId,
      subject: { type: 'order', key: '7' },
      correlation_id: 'c-7',
      attempt_count: 0,
    });
    expect((await verb(worker, claimed, 'start')).status).toBe(204);
    expect((await verb(worker, claimed, 'progress', { percent: 40, stage: 'reading' })).status).toBe(204);
    const logged = await verb(worker, claimed, 'log', {
      lines: [{ message: 'one' }, { level: 'warn', message: 'two', data: { rows: 2, password: 'hush' } }],
    });
    expect(logged.body).toEqual({ stored_count: 2 });
    expect((await verb(worker, claimed, 'log', { lines: [{ message: 'three' }] })).body).toEqual({
      stored_count: 1,
    });
    const done = await verb(worker, claimed, 'complete', {
      result: { rows: 2 },
      next: [{ definition_key: 'echo', payload: { message: 'after' } }],
    });
    expect(done.body).toEqual({ job_id: id, status: 'succeeded' });
    expect(await job(id)).toMatchObject({ status: 'succeeded', result: { rows: 2 }, run_no: 1 });
    const lines = await api.superuser.query(
      'select line_no, level, message, data from millrace.job_log_lines where job_id = $1 order by line_no',
      [id],
    );
    expect(lines.rows.map(({ line_no, level, message }) => [line_no, level, message])).toEqual([
      [1, 'info', 'one'],
      [2, 'warn', 'two'],
      [3, 'info', 'three'],
    ]);
    expect(JSON.stringify(lines.rows)).not.toContain('hush');
    const progress = await api.superuser.query(
      'select percent, stage from millrace.job_progress where job_id = $1',
      [id],
    );
    expect(progress.rows).toEqual([{ percent: 40, stage: 'reading' }]);
    const next = await api.superuser.query(
      `select payload, source, correlation_id from millrace.jobs where tenant_id = $1 and status = 'queued'`,
      [tenantId],
    );
    expect(next.rows).toMatchObject([
      { payload: { message: 'after' }, source: 'system', correlation_id: 'c-7' },
    ]);
  });

  it('waits for a job, and has it as soon as it is there.', async () => {
    const waiting = claim(worker, { worker: 'waiter', wait_seconds: 30 });
    await waitFor(() => workerCount('waiter'), { describe: 'the worker' });
    const id = await enqueue();
    expect((await waiting).map((each: { job_id: string }) => each.job_id)).toEqual([id]);
  });

  it('has nothing of another tenant; one of the platform has the jobs of all.', async () => {
    const id = await enqueue();
    expect(await claim(others)).toEqual([]);
    const [claimed] = await claim(platform);
    expect(claimed).toMatchObject({ job_id: id, tenant_id: tenantId });
    const refused = await verb(others, claimed, 'complete');
    expect([refused.status, refused.body.code]).toEqual([409, 'LOST_LEASE']);
    expect((await verb(platform, claimed, 'complete')).body.status).toBe('succeeded');
  });
});

async function workerCount(name: string): Promise<number> {
  const { rowCount } = await api.superuser.query('select from millrace.job_workers where hostname = $1', [
    name,
  ]);
  return rowCount ?? 0;
}
