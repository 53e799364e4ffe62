import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SYSTEM_TENANT_ID } from '../../../src/core/ids.ts';
import { readStorageUse } from '../../../src/db/sql/media-files/read-storage-use.ts';
import { sweepJobFilesDuty } from '../../../src/domains/remote-workers/duties/sweep-job-files.ts';
import { openLocalStore } from '../../../src/storage/local-store.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { openDatabase, silentLog } from '../../support/queue.ts';
import { type RestClient, restClient } from '../../support/rest.ts';
import { waitFor } from '../../support/wait.ts';

let api: TestApi;
let tenantId: string;
let otherTenant: string;
let admin: RestClient;
let worker: RestClient;
let others: RestClient;
let platform: RestClient;
let token: string;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  otherTenant = await api.makeTenant();
  const as = async (tenant: string, role: 'worker' | 'tenant_admin') =>
    restClient(api.url, await api.token(tenant, role));
  admin = await as(tenantId, 'tenant_admin');
  token = await api.token(tenantId, 'worker');
  worker = restClient(api.url, token);
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
  it('is given no job of an archived definition: what was queued waits, until that is restored or the job canceled.', async () => {
    const root = await api.token(tenantId, 'super_admin');
    const change = async (name: string, input: object) => {
      const type = `${name[0]?.toUpperCase()}${name.slice(1)}`;
      const query = `mutation ($input: ${type}Input!) { ${name}(input: $input) { __typename } }`;
      expect((await api.query(root, query, { input })).data[name].__typename).toBe(`${type}Payload`);
    };
    const waits = async (id: string) =>
      (await api.query(root, `{ job(id: "${id}") { status waitingFor { reason message } } }`)).data.job;
    const definition = 'once-made';
    await change('createJobDefinition', { key: definition });
    const [first, second] = [
      await enqueue({ definition_key: definition }),
      await enqueue({ definition_key: definition }),
    ];
    await change('archiveJobDefinition', { definition });
    expect(await waits(first)).toEqual({
      status: 'QUEUED',
      waitingFor: {
        reason: 'PAUSED',
        message: 'Its definition is archived: restore that, or cancel the job.',
      },
    });
    const asked = { job_types: [definition], limit: 2 };
    await waitFor(async () => (await claim(worker, asked)).length === 0, {
      describe: 'nothing to be claimed of an archived definition',
    });
    expect((await admin.post(`/jobs/${second}/cancel`, {})).status).toBe(200);
    await change('restoreJobDefinition', { definition });
    let claimed: { job_id: string }[] = [];
    await waitFor(
      async () => {
        claimed = await claim(worker, asked);
        return claimed.length > 0;
      },
      { describe: 'the restored definition’s job' },
    );
    expect(claimed.map(({ job_id }) => job_id)).toEqual([first]);
    expect(await job(second)).toMatchObject({ status: 'canceled' });
  });

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

  it('fails a job for a retry by its policy or for good, puts it off, and gives it back at no attempt.', async () => {
    const id = await enqueue();
    let [claimed] = await claim();
    expect((await verb(worker, claimed, 'release')).body.status).toBe('queued');
    [claimed] = await claim();
    expect((await verb(worker, claimed, 'snooze', { delay_seconds: 0, reason: 'not yet' })).body.status).toBe(
      'queued',
    );
    expect(await job(id)).toMatchObject({ attempt_count: 0, snooze_count: 1, run_no: 2 });
    [claimed] = await claim();
    const failure = { type: 'Unreachable', message: 'no answer', retry_after_seconds: 0 };
    expect((await verb(worker, claimed, 'fail', failure)).body.status).toBe('queued');
    expect(await job(id)).toMatchObject({
      attempt_count: 1,
      last_error: { type: 'Unreachable', message: 'no answer' },
    });
    const stale = await verb(worker, claimed, 'complete', { result: 1 });
    expect([stale.status, stale.body.code]).toEqual([409, 'LOST_LEASE']);
    [claimed] = await claim();
    expect((await verb(worker, claimed, 'fail', { message: 'never', permanent: true })).body.status).toBe(
      'failed',
    );
    expect(await job(id)).toMatchObject({ status: 'failed', result: null });
  });

  it('notices a cancel by its heartbeat, ends such a job as canceled, and is ended itself when it takes too long.', async () => {
    const id = await enqueue();
    const [claimed] = await claim();
    await admin.post(`/jobs/${id}/cancel`, { reason: 'not needed' });
    const lease = { job_id: id, run_no: claimed.run_no, token: claimed.token };
    const beat = () => worker.post('/worker/heartbeat', { worker: 'w1', leases: [lease] });
    expect((await beat()).body.heartbeats).toMatchObject([
      { state: 'cancel_requested', cancel_reason: 'not needed' },
    ]);
    expect((await verb(worker, claimed, 'release')).body.status).toBe('canceled');
    expect((await beat()).body.heartbeats).toMatchObject([{ state: 'lost', lease_expires_at: null }]);

    const slow = await enqueue({ timeout_seconds: 1 });
    const [second] = await claim();
    await api.superuser.query(`update millrace.jobs set started_at = now() - interval '2 s' where id = $1`, [
      slow,
    ]);
    const over = await worker.post('/worker/heartbeat', {
      leases: [{ job_id: slow, run_no: second.run_no, token: second.token }],
    });
    expect(over.body.heartbeats).toMatchObject([{ state: 'timed_out' }]);
    expect(await job(slow)).toMatchObject({
      status: 'queued',
      attempt_count: 1,
      last_error: { type: 'TimedOut' },
    });
  });

  it('uploads a file that becomes an artifact of the subject, for as long as its run goes on.', async () => {
    await enqueue({ subject: { type: 'order', key: '8' } });
    const [claimed] = await claim();
    const { body: target } = await verb(worker, claimed, 'uploads', { name: 'report.txt' });
    const put = () => fetch(target.url, { method: 'PUT', body: 'rows: 2', headers: { connection: 'close' } });
    expect((await put()).status).toBe(201);
    const artifacts = [{ kind: 'report', key: target.key }];
    const foreign = [{ kind: 'report', key: 'videos/original/x' }];
    expect((await verb(worker, claimed, 'complete', { artifacts: foreign })).body.field).toBe(
      'artifacts[0].key',
    );
    expect((await verb(worker, claimed, 'complete', { artifacts })).body.status).toBe('succeeded');
    expect((await put()).status).toBe(409);
    const made = (await admin.get(`/jobs/${claimed.job_id}/artifacts`)).body;
    expect(made).toMatchObject({
      data: [{ name: 'report.txt', kind: 'report', label: 'report', size_bytes: 7, run_no: 1 }],
      has_more: false,
      next_cursor: null,
    });
    const asked = `{ job(id: "${claimed.job_id}") { artifacts { nodes { name kind contentType sizeBytes url } } } }`;
    const shown = (await api.query(await api.token(tenantId, 'member'), asked)).data.job.artifacts.nodes;
    expect(shown).toMatchObject([{ name: 'report.txt', kind: 'report', sizeBytes: '7' }]);
    for (const url of [made.data[0].url, shown[0].url])
      expect(await (await fetch(url, { headers: { connection: 'close' } })).text()).toBe('rows: 2');
    await enqueue({ subject: { type: 'order', key: '8' } });
    const [next] = await claim();
    const { files } = (await verb(worker, next, 'files')).body;
    expect(files).toMatchObject([{ kind: 'report', key: target.key, size_bytes: 7 }]);
    const read = await fetch(files[0].url, { headers: { connection: 'close' } });
    expect(await read.text()).toBe('rows: 2');
    await verb(worker, next, 'release');
  });

  it('counts its files in the storage of the tenant, takes none beyond that, and they go with their job.', async () => {
    const id = await enqueue({ subject: { type: 'order', key: '9' } });
    const [claimed] = await claim();
    const upload = (name: string, fields: object = {}) =>
      verb(worker, claimed, 'uploads', { name, ...fields });
    const put = (url: string, body: string) =>
      fetch(url, { method: 'PUT', body, headers: { connection: 'close' } });
    const usedBytes = async (): Promise<number> =>
      Number((await api.superuser.query(readStorageUse.text, [tenantId, null, 3_600])).rows[0].used_bytes);
    const before = await usedBytes();
    const [first, second] = [(await upload('a.txt')).body, (await upload('b.txt')).body];
    expect((await put(first.url, 'x'.repeat(100))).status).toBe(201);
    expect((await put(first.url, 'x'.repeat(60))).status).toBe(201);
    expect((await usedBytes()) - before).toBe(60);
    await api.superuser.query('update millrace.tenants set max_stored_bytes = $2 where id = $1', [
      tenantId,
      before + 100,
    ]);
    try {
      const full = await put(second.url, 'x'.repeat(41));
      expect([full.status, ((await full.json()) as { error: { code: string } }).error.code]).toEqual([
        413,
        'QuotaExceeded',
      ]);
      const refused = await upload('c.txt', { size_bytes: 41 });
      expect([refused.status, refused.body.code, refused.body.field]).toEqual([
        413,
        'QUOTA_EXCEEDED',
        'size_bytes',
      ]);
      expect((await upload('d.txt', { size_bytes: 40 })).status).toBe(201);
    } finally {
      await api.superuser.query('update millrace.tenants set max_stored_bytes = null where id = $1', [
        tenantId,
      ]);
    }
    const artifacts = [{ kind: 'report', key: first.key }];
    expect((await verb(worker, claimed, 'complete', { artifacts })).body.status).toBe('succeeded');
    const file = join(api.storageDir, ...first.key.split('/'));
    expect(existsSync(file)).toBe(true);
    await api.superuser.query('delete from millrace.jobs where id = $1', [id]);
    const database = openDatabase(api.databaseUrl);
    try {
      const storage = await openLocalStore(api.storageDir);
      const duty = sweepJobFilesDuty({ database, storage, log: silentLog });
      expect(await duty.run({ goOn: () => true, pause: async () => undefined } as never)).toEqual({
        files: 1,
      });
    } finally {
      await database.close();
    }
    expect(existsSync(file)).toBe(false);
    expect(await usedBytes()).toBe(before);
    const left = await api.superuser.query(
      'select (select count(*)::int from millrace.job_files where tenant_id = $1) as files, (select count(*)::int from millrace.artifacts where key = $2) as artifacts',
      [tenantId, first.key],
    );
    expect(left.rows).toEqual([{ files: expect.any(Number), artifacts: 0 }]);
  });

  it('may claim what its key names, nothing of a pipeline of Millrace, and is no other role.', async () => {
    const claiming = async (by: RestClient, jobTypes: string[]) =>
      (await by.post('/worker/claim', { worker: 'w', job_types: jobTypes, wait_seconds: 0 })).body.code;
    expect(await claiming(worker, ['transcode'])).toBe('FORBIDDEN');
    expect(await claiming(worker, ['no-such'])).toBe('UNKNOWN_DEFINITION');
    expect(await claiming(admin, ['echo'])).toBe('FORBIDDEN');
    const made = await api.query(
      await api.token(tenantId, 'tenant_admin'),
      'mutation { createApiKey(input: { name: "k", role: WORKER, definitionKeys: ["other"] }) { ... on CreateApiKeyPayload { secret apiKey { definitionKeys } } } }',
    );
    expect(made.data.createApiKey.apiKey.definitionKeys).toEqual(['other']);
    expect(await claiming(restClient(api.url, made.data.createApiKey.secret), ['echo'])).toBe('FORBIDDEN');
  });

  it('waits in any number without holding a connection, and one that has left takes no job.', async () => {
    const leaving = new AbortController();
    const left = Array.from({ length: 40 }, (_, index) =>
      fetch(`${api.url}/api/v1/worker/claim`, {
        method: 'POST',
        signal: leaving.signal,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          connection: 'close',
        },
        body: JSON.stringify({ worker: `left-${index}`, job_types: ['echo'], wait_seconds: 60 }),
      }).catch(() => null),
    );
    await waitFor(() => workerCount('left-39'), { describe: 'the last of them' });
    // All of them wait, and others are answered: the server has ten connections.
    expect((await admin.get('/jobs?limit=1')).status).toBe(200);
    leaving.abort();
    await Promise.all(left);
    const id = await enqueue();
    expect(
      (await claim(worker, { wait_seconds: 30 })).map((each: { job_id: string }) => each.job_id),
    ).toEqual([id]);
    expect((await job(id)).lost_lease_count).toBe(0);
  });
});

async function workerCount(name: string): Promise<number> {
  const { rowCount } = await api.superuser.query('select from millrace.job_workers where hostname = $1', [
    name,
  ]);
  return rowCount ?? 0;
}
