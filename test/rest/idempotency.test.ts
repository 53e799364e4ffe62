import { afterAll, beforeAll, expect, test } from 'vitest';
import { idempotencyKeysDuty } from '../../workers/maintenance/pruner.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { openDatabase } from '../support/queue.ts';
import { restClient } from '../support/rest.ts';
import { checkedClient } from '../support/rest-contract.ts';
import { waitFor } from '../support/wait.ts';

let api: TestApi;
let tenantId: string;
let admin: string;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  admin = await api.token(tenantId, 'tenant_admin');
});
afterAll(() => api?.close());

const BODY = { definition_key: 'echo', payload: { message: 'Once' } };
const post = (key: string, path = '/jobs', body: unknown = BODY, token = admin) =>
  checkedClient(api.url, token).post(path, body, { 'idempotency-key': key });
const jobCount = async (): Promise<number> =>
  (await api.superuser.query('select count(*)::int as n from millrace.jobs where tenant_id = $1', [tenantId]))
    .rows[0].n;

test('the same request with the same key gets the same answer, and is carried out once', async () => {
  const before = await jobCount();
  const first = await post('order-1');
  const again = await post('order-1');
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('location')).toBe(first.headers.get('location'));
  expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([
    null,
    'true',
  ]);
  const other = await post(
    'order-1',
    '/jobs',
    BODY,
    await api.token(tenantId, 'tenant_admin', { subject: 'bob' }),
  );
  expect(other.body.id).not.toBe(first.body.id);
  expect(await jobCount()).toBe(before + 2);
});

test('many at the same moment are carried out once', async () => {
  const before = await jobCount();
  const answers = await Promise.all(Array.from({ length: 8 }, () => post('rush')));
  const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id));
  expect(ids.size).toBe(1);
  for (const { status, body } of answers)
    if (status !== 201) expect([status, body.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE']);
  expect(await jobCount()).toBe(before + 1);
});

test('another payload or another route under a used key is refused', async () => {
  await post('order-2');
  for (const answer of [
    await post('order-2', '/jobs', { ...BODY, priority: 1 }),
    await post('order-2', '/events', { name: 'order.made' }),
  ])
    expect([answer.status, answer.body.code, answer.body.field]).toEqual([
      422,
      'IDEMPOTENCY_KEY_REUSED',
      'Idempotency-Key',
    ]);
});

test('a request is refused while the first of its key is still running', async () => {
  const { body: job } = await post('order-3');
  await api.superuser.query('begin');
  try {
    await api.superuser.query('select from millrace.jobs where id = $1 for update', [job.id]);
    const first = post('cancel-3', `/jobs/${job.id}/cancel`, {});
    await waitFor(
      async () =>
        (await api.superuser.query(`select from millrace.idempotency_keys where key = 'cancel-3'`))
          .rowCount === 1,
      { describe: 'the first request to take its key' },
    );
    await waitFor(
      async () =>
        (await post('cancel-3', `/jobs/${job.id}/cancel`, {})).body.code === 'IDEMPOTENCY_KEY_IN_USE',
      { describe: 'the second request to be refused' },
    );
    await api.superuser.query('commit');
    expect((await first).body.status).toBe('canceled');
  } finally {
    await api.superuser.query('rollback');
  }
  expect((await post('cancel-3', `/jobs/${job.id}/cancel`, {})).body.status).toBe('canceled');
});

test('the key is written in the transaction of the job: where it cannot be, there is no job', async () => {
  const before = await jobCount();
  await api.superuser.query(
    `create function pg_temp.no() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$;
     create trigger refuse before update on millrace.idempotency_keys for each row execute function pg_temp.no()`,
  );
  try {
    const rest = restClient(api.url, admin);
    for (const [path, body] of [
      ['/jobs', BODY],
      ['/events', { name: 'order.made' }],
    ] as const)
      expect((await rest.post(path, body, { 'idempotency-key': `order-4${path}` })).status).toBe(500);
  } finally {
    await api.superuser.query('drop trigger refuse on millrace.idempotency_keys');
  }
  expect(await jobCount()).toBe(before);
  const { rows } = await api.superuser.query(`select from millrace.app_events where tenant_id = $1`, [
    tenantId,
  ]);
  expect(rows).toEqual([]);
});

test('a refused request leaves its key free, and one whose answer was lost is not repeated', async () => {
  const refused = await post('order-5', '/jobs', { ...BODY, payload: {} });
  expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_PAYLOAD']);
  expect((await post('order-5')).status).toBe(201);
  await api.superuser.query(`update millrace.idempotency_keys set status = null where key = 'order-5'`);
  const lost = await post('order-5');
  expect([lost.status, lost.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE']);
});

test('a key is anybody’s again after its day, and the duty removes it', async () => {
  const first = await post('order-6');
  await post('order-7');
  await api.superuser.query(
    `update millrace.idempotency_keys set expires_at = now() - interval '1 second' where key in ('order-6', 'order-7')`,
  );
  expect((await post('order-6')).body.id).not.toBe(first.body.id);
  const database = openDatabase(api.databaseUrl);
  try {
    const done = await idempotencyKeysDuty(database).run({ goOn: () => true } as never);
    expect(done).toEqual({ keys: 1 });
  } finally {
    await database.close();
  }
  const { rows } = await api.superuser.query(
    `select key from millrace.idempotency_keys where key in ('order-6', 'order-7')`,
  );
  expect(rows).toEqual([{ key: 'order-6' }]);
});

test.each(['', 'x'.repeat(256), 'a\u00e9'])('the key %j is refused by name', async (key) => {
  const answer = await post(key);
  expect([answer.status, answer.body.field]).toEqual([400, 'Idempotency-Key']);
});
