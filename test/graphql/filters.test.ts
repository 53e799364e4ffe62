import { afterAll, beforeAll, expect, it } from 'vitest';
import { VIDEO_WALK_BUDGET } from '../../src/domains/videos/use-cases/find-videos.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { restClient } from '../support/rest.ts';

let api: TestApi;
let tenantId: string;
let token: string;
beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  token = await api.token(tenantId, 'member', { subject: 'max' });
});
afterAll(() => api.close());

const JOBS = 'query ($filter: JobFilter) { jobs(filter: $filter) { nodes { correlationId } } }';
const VIDEOS = 'query ($filter: VideoFilter) { videos(filter: $filter) { nodes { title } } }';

async function insertJob(name: string, columns: Record<string, unknown>, tenant = tenantId): Promise<void> {
  const names = Object.keys(columns);
  await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, correlation_id${names.map((column) => `, ${column}`).join('')})
     select $1, id, $2${names.map((_, at) => `, $${at + 3}`).join('')} from millrace.job_definitions where key = 'echo'`,
    [tenant, name, ...Object.values(columns)],
  );
}

async function jobs(filter: object): Promise<readonly string[]> {
  const { data, errors } = await api.query(token, JOBS, { filter });
  expect(errors).toEqual([]);
  return data.jobs.nodes.map((node: { correlationId: string }) => node.correlationId).sort();
}

async function videos(filter: object): Promise<readonly string[]> {
  const { data, errors } = await api.query(token, VIDEOS, { filter });
  expect(errors).toEqual([]);
  return data.videos.nodes.map(({ title }: { title: string }) => title).sort();
}

it('jobs are chosen by when they ended, by their error and by the caller, within the tenant', async () => {
  const error = (type: string) => ({ type, message: 'm', timestamp: '2026-01-01T00:00:00Z', retryCount: 0 });
  const failed = { status: 'failed', created_by: 'user:eve' };
  const early = { ...failed, finished_at: '2026-01-01T10:00:00Z', last_error: error('Refused') };
  await insertJob('early', early);
  await insertJob('late', { ...failed, finished_at: '2026-01-01T12:00:00Z', last_error: error('Gone') });
  await insertJob('waiting', { created_by: 'user:max' });
  await insertJob('strange', { ...early, created_by: 'user:max' }, await api.makeTenant());

  const noon = '2026-01-01T12:00:00Z';
  expect(await jobs({ finishedAfter: noon })).toEqual(['late']);
  expect(await jobs({ finishedBefore: noon })).toEqual(['early']);
  expect(await jobs({ finishedAfter: '2026-01-01T09:00:00Z', finishedBefore: noon })).toEqual(['early']);
  expect(await jobs({ errorTypes: ['Refused', 'nobody'] })).toEqual(['early']);
  expect(await jobs({ errorTypes: ['Refused', 'Gone'], finishedAfter: noon })).toEqual(['late']);
  expect(await jobs({ errorTypes: [] })).toEqual([]);
  expect(await jobs({ createdByMe: true })).toEqual(['waiting']);
  expect(await jobs({ createdByMe: false })).toEqual(['early', 'late', 'waiting']);
  const both = await api.query(token, JOBS, { filter: { createdByMe: true, createdBy: 'user:eve' } });
  expect(both.errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'filter.createdBy' });
});

it('jobs are chosen by fields of their payload and by failed runs, and no secret is looked for', async () => {
  const tenant = await api.makeTenant();
  const admin = await api.token(tenant, 'tenant_admin');
  const rest = restClient(api.url, admin);
  await api.superuser.query(
    `insert into millrace.job_definitions (key, arg_schema) values ('ship',
       '{"type": "object", "properties": {"code": {"type": "string", "writeOnly": true}, "order": {"type": "object"}}}')`,
  );
  const insert = (name: string, key: string, payload: object, attempts: number, of = tenant) =>
    api.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id, correlation_id, payload, attempt_count)
       select $1, id, $2, $3, $4 from millrace.job_definitions where key = $5`,
      [of, name, payload, attempts, key],
    );
  await insert('first', 'echo', { order: { id: 7, lines: [{ sku: 'a' }, { sku: 'b' }] }, code: 'x' }, 0);
  await insert('second', 'echo', { order: { id: 8 }, code: 'y', password: 'hush' }, 2);
  await insert('shipped', 'ship', { order: { id: 7 }, code: 'x' }, 3);
  await insert('strange', 'echo', { order: { id: 7 } }, 9, await api.makeTenant());
  const asked = async (filter: object) => {
    const { data, errors } = await api.query(admin, JOBS, { filter });
    return errors.length > 0
      ? errors[0]?.extensions
      : data.jobs.nodes.map((node: { correlationId: string }) => node.correlationId).sort();
  };
  expect(await asked({ payloadContains: { order: { id: 7 } } })).toEqual(['first', 'shipped']);
  expect(await asked({ payloadContains: { order: { lines: [{ sku: 'b' }] } } })).toEqual(['first']);
  expect(await asked({ payloadContains: { order: { id: '7' } } })).toEqual([]);
  expect(await asked({ minAttemptCount: 2 })).toEqual(['second', 'shipped']);
  expect(await asked({ minAttemptCount: 3, payloadContains: { order: {} } })).toEqual(['shipped']);
  // Of one definition `code` is a secret, which is not to be guessed.
  expect(await asked({ payloadContains: { code: 'x' } })).toEqual(['first']);
  const refused = (field: string) => ({ code: 'INVALID_ARGUMENT', field });
  expect(await asked({ payloadContains: { code: 'x' }, definitions: ['ship'] })).toMatchObject(
    refused('filter.payloadContains.code'),
  );
  expect(await asked({ payloadContains: { password: 'hush' } })).toMatchObject(
    refused('filter.payloadContains.password'),
  );
  for (const payloadContains of [{}, [], 'order', 7, { long: 'x'.repeat(4_000) }])
    expect(await asked({ payloadContains })).toMatchObject(refused('filter.payloadContains'));
  expect(await asked({ minAttemptCount: 0 })).toMatchObject(refused('filter.minAttemptCount'));

  const listed = async (query: string) => {
    const { body } = await rest.get(`/jobs?${query}`);
    return body.data?.map(({ correlation_id: id }: { correlation_id: string }) => id).sort() ?? body.field;
  };
  const contains = (json: string) => `payload_contains=${encodeURIComponent(json)}`;
  expect(await listed(contains('{"order": {"id": 7}}'))).toEqual(['first', 'shipped']);
  expect(await listed('min_attempt_count=3')).toEqual(['shipped']);
  expect(await listed(contains('{"order"'))).toBe('payload_contains');
  expect(await listed(contains('{"order": {"id": 9007199254740993}}'))).toBe('payload_contains');
});

it('a page of videos looks at a limited number of them, says where it stopped and goes on there', async () => {
  const tenant = await api.makeTenant();
  const member = await api.token(tenant, 'member');
  await api.superuser.query(
    `insert into millrace.videos (tenant_id, title, owner_id, original_key)
     select $1, case when n in (1, $2) then 'rare ' || n else 'common' end, 'user:' || n % 2, 'k' || n from generate_series(1, $2::integer) n order by n`,
    [tenant, VIDEO_WALK_BUDGET + 10],
  );
  const list = `query ($filter: VideoFilter, $after: String) { videos(first: 5, filter: $filter, after: $after) {
    isPartial nodes { title } pageInfo { endCursor hasNextPage } } }`;
  const read = async (variables: object) => (await api.query(member, list, variables)).data.videos;
  const first = await read({ filter: { title: 'RARE' } });
  expect(first).toMatchObject({ isPartial: true, nodes: [{ title: `rare ${VIDEO_WALK_BUDGET + 10}` }] });
  const rest = await read({ filter: { title: 'RARE' }, after: first.pageInfo.endCursor });
  expect(rest).toMatchObject({
    isPartial: false,
    nodes: [{ title: 'rare 1' }],
    pageInfo: { hasNextPage: false },
  });
  // An owner's are found by an index: the whole of them fits the budget.
  const own = await read({ filter: { title: 'rare', createdBy: 'user:1' } });
  expect(own).toMatchObject({ isPartial: false, nodes: [{ title: 'rare 1' }] });
});

it('videos are chosen by a part of their title as it is written, by who made them and when', async () => {
  const insert = (title: string, owner: string, tenant = tenantId) =>
    api.superuser.query(
      `insert into millrace.videos (tenant_id, title, owner_id, original_key) values ($1, $2, $3, $2)`,
      [tenant, title, owner],
    );
  await insert('Holiday 100% sun', 'user:max');
  await insert('holiday_1000', 'user:eve');
  await insert('Talk', 'user:eve');
  await insert('Holiday of others', 'user:max', await api.makeTenant());

  expect(await videos({ title: 'HOLIDAY' })).toEqual(['Holiday 100% sun', 'holiday_1000']);
  expect(await videos({ title: '100%' })).toEqual(['Holiday 100% sun']);
  expect(await videos({ title: 'y_1' })).toEqual(['holiday_1000']);
  expect(await videos({ title: '\\' })).toEqual([]);
  expect(await videos({ createdBy: 'user:eve' })).toEqual(['Talk', 'holiday_1000']);
  expect(await videos({ createdByMe: true })).toEqual(['Holiday 100% sun']);
  expect(await videos({ createdAfter: '2099-01-01T00:00:00Z' })).toEqual([]);
  expect(await videos({ createdBefore: '2099-01-01T00:00:00Z', title: 'talk' })).toEqual(['Talk']);
  const refused = await api.query(token, VIDEOS, { filter: { title: 'a\0' } });
  expect(refused.errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'filter.title' });
});
