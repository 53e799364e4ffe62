import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { restClient } from '../support/rest.ts';

let api: TestApi;
let tenantId: string;
let admin: string;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  admin = await api.token(tenantId, 'tenant_admin');
});
afterAll(() => api?.close());

const rest = (token: string | null = admin) => restClient(api.url, token);
const enqueue = async (body: object = {}) =>
  (await rest().post('/jobs', { definition_key: 'echo', payload: { message: 'x' }, ...body })).body;

describe('POST /api/v1/jobs', () => {
  test('enqueues, and answers with what the contract names and nothing else', async () => {
    const answer = await rest().post('/jobs', {
      definition_key: 'echo',
      payload: { message: 'Hello' },
      priority: 7,
      scheduled_for: '2036-02-16T10:30:00Z',
      dedupe_key: 'tenant:bcg:training:daily',
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`/api/v1/jobs/${answer.body.id}`);
    const { rows } = await api.superuser.query(
      'select priority, scheduled_for, dedupe_key, queued_at, created_by from millrace.jobs where id = $1',
      [answer.body.id],
    );
    expect(answer.body).toEqual({
      id: answer.body.id,
      tenant_id: tenantId,
      status: 'queued',
      definition_key: 'echo',
      queued_at: rows[0].queued_at.toISOString(),
    });
    expect(rows[0]).toMatchObject({
      priority: 7,
      dedupe_key: 'tenant:bcg:training:daily',
      created_by: 'user:alice',
    });
    const again = await rest().post('/jobs', {
      definition_key: 'echo',
      payload: { message: 'Hello' },
      dedupe_key: 'tenant:bcg:training:daily',
    });
    expect([again.status, again.body]).toEqual([200, answer.body]);
  });

  test.each([
    [{}, 'INVALID_ARGUMENT', 'definition_key', '#/definition_key'],
    [{ definition_key: 'echo', priority: '5' }, 'INVALID_ARGUMENT', 'priority', '#/priority'],
    [{ definition_key: 'echo', colour: 1 }, 'INVALID_ARGUMENT', 'colour', '#/colour'],
    [{ definition_key: 'echo', payload: {} }, 'INVALID_PAYLOAD', 'payload.message', '#/payload/message'],
    [{ definition_key: 'ecoh' }, 'UNKNOWN_DEFINITION', 'definition_key', '#/definition_key'],
    [
      { definition_key: 'echo', payload: { message: 'x' }, timeout_seconds: 0 },
      'INVALID_ARGUMENT',
      'timeout_seconds',
      '#/timeout_seconds',
    ],
    [
      { definition_key: 'echo', payload: { message: 'x' }, scheduled_for: 'soon' },
      'INVALID_ARGUMENT',
      'scheduled_for',
      '#/scheduled_for',
    ],
  ])('refuses %j with %s, which names %s', async (body, code, field, pointer) => {
    const { status, body: problem, headers } = await rest().post('/jobs', body);
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(problem).toMatchObject({ status, code, field, errors: [{ pointer }], instance: '/api/v1/jobs' });
    expect(problem.detail).not.toMatch(/[a-z][A-Z]/);
    expect(status).toBe(code === 'UNKNOWN_DEFINITION' ? 404 : 400);
  });
});

describe('GET /api/v1/jobs', () => {
  test('goes through all jobs by its links, and by offsets, in the same order', async () => {
    const tenant = await api.makeTenant();
    const token = await api.token(tenant, 'tenant_admin');
    const ids: string[] = [];
    for (let i = 0; i < 5; i++)
      ids.unshift(
        (
          await restClient(api.url, token).post('/jobs', {
            definition_key: 'echo',
            payload: { message: 'x' },
          })
        ).body.id,
      );
    const seen: string[] = [];
    let path: string | null = '/jobs?limit=2&source=manual&status=queued';
    while (path !== null) {
      const { body, headers } = await restClient(api.url, token).get(path);
      seen.push(...body.data.map((job: { id: string }) => job.id));
      const link = /<\/api\/v1([^>]+)>; rel="next"/.exec(headers.get('link') ?? '');
      expect(link === null).toBe(!body.has_more);
      path = link?.[1] ?? null;
    }
    expect(seen).toEqual(ids);
    const skipped = await restClient(api.url, token).get('/jobs?limit=2&offset=3');
    expect(skipped.body.data.map((job: { id: string }) => job.id)).toEqual(ids.slice(3));
    expect((await restClient(api.url, token).get('/jobs?offset=9')).body.data).toEqual([]);
  });

  test('comes in the order of ends where that is asked for, by links and by offsets', async () => {
    const tenant = await api.makeTenant();
    const client = restClient(api.url, await api.token(tenant, 'member'));
    // Made as 0 to 4, ended as 3, 1, 4, 0, 2; one has not ended.
    const { rows } = await api.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id, status, finished_at)
       select $1, d.id, case when n < 5 then 'succeeded' else 'queued' end, now() - (array[2, 4, 1, 5, 3])[n + 1] * interval '1 minute'
       from millrace.job_definitions d, generate_series(0, 5) n where d.key = 'echo' order by n returning id`,
      [tenant],
    );
    const byEnd = [3, 1, 4, 0, 2].map((at) => rows[at].id);
    const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
    for (const [direction, wanted] of [
      ['asc', byEnd],
      ['desc', byEnd.toReversed()],
    ] as const) {
      const seen: string[] = [];
      let after = '';
      for (let more = true; more; ) {
        const { body } = await client.get(
          `/jobs?order_by=finished_at&direction=${direction}&limit=2${after}`,
        );
        seen.push(...idsOf(body));
        more = body.has_more;
        after = `&after=${body.next_cursor}`;
      }
      expect(seen).toEqual(wanted);
      for (const offset of [0, 2, 9]) {
        const path = `/jobs?order_by=finished_at&direction=${direction}&offset=${offset}`;
        expect(idsOf((await client.get(path)).body)).toEqual(wanted.slice(offset));
      }
    }
    const made = rows.map(({ id }: { id: string }) => id);
    expect(idsOf((await client.get('/jobs?direction=asc')).body)).toEqual(made);
    expect(idsOf((await client.get('/jobs?direction=asc&offset=4')).body)).toEqual(made.slice(4));
    for (const query of ['due=true', 'order_by=scheduled_for'])
      expect(idsOf((await client.get(`/jobs?${query}`)).body)).toEqual([made[5]]);
    expect(idsOf((await client.get('/jobs?due=false')).body)).toEqual(made.slice(0, 5).toReversed());
    const { body } = await client.get('/jobs?order_by=finished_at&limit=1');
    const other = await client.get(`/jobs?after=${body.next_cursor}`);
    expect([other.status, other.body.field]).toEqual([400, 'after']);
  });

  test('takes offsets up to 10000, and names the cursor beyond them', async () => {
    expect((await rest().get('/jobs?offset=10000')).status).toBe(200);
    const { status, body } = await rest().get('/jobs?offset=10001');
    expect([status, body.code, body.errors[0].parameter]).toEqual([400, 'INVALID_ARGUMENT', 'offset']);
    expect(body.allowed).toContain('after');
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=1000', 'limit'],
    ['status=done', 'status[0]'],
    ['colour=red', 'colour'],
    ['order_by=priority', 'order_by'],
    ['direction=up', 'direction'],
    ['created_after=yesterday', 'created_after'],
    ['subject_type=video', 'subject_key'],
    ['after=nonsense', 'after'],
  ])('refuses ?%s, naming %s', async (query, field) => {
    const { status, body } = await rest().get(`/jobs?${query}`);
    expect([status, body.code, body.field]).toEqual([400, 'INVALID_ARGUMENT', field]);
    expect(body.errors[0].parameter).toBe(field);
  });
});

describe('one job', () => {
  test('is read, canceled and retried; its version grows', async () => {
    const { id } = await enqueue({ tags: ['night'], metadata: { order: 7 } });
    const { body: job } = await rest().get(`/jobs/${id}`);
    expect(job).toMatchObject({
      id,
      status: 'queued',
      payload: { message: 'x' },
      tags: ['night'],
      metadata: { order: 7 },
    });
    const canceled = await rest().post(`/jobs/${id}/cancel`, { reason: 'not needed' });
    expect(canceled.body).toMatchObject({ id, status: 'canceled', reason: 'not needed' });
    const twice = await rest().post(`/jobs/${id}/cancel`);
    expect(twice.body).toMatchObject({
      status: 409,
      code: 'WRONG_STATE',
      job_status: 'canceled',
      allowed: 'queued, running',
    });
    const retried = await rest().post(`/jobs/${id}/retry`);
    expect(retried.body).toMatchObject({ id, status: 'queued' });
    expect(Number(retried.body.version)).toBeGreaterThan(Number(job.version));
  });

  test('is not there for another tenant, under a wrong id or method', async () => {
    const { id } = await enqueue();
    const stranger = await api.token(await api.makeTenant(), 'tenant_admin');
    expect((await rest(stranger).get(`/jobs/${id}`)).body).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect((await rest().get('/jobs/17')).body).toMatchObject({ status: 400, field: 'job_id' });
    expect((await rest(null).get(`/jobs/${id}`)).body).toMatchObject({
      status: 401,
      code: 'UNAUTHENTICATED',
    });
    const put = await rest().send('PUT', `/jobs/${id}`, {});
    expect([put.status, put.body.code, put.headers.get('allow')]).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      'GET, PATCH',
    ]);
    expect((await rest().get('/nothing')).body).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });
});
