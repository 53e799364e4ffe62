import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let tenantId: string;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
});
afterAll(() => api.close());

const count = async (): Promise<number> =>
  (await api.superuser.query('select count(*)::int as n from millrace.app_events')).rows[0].n;

test('an event of a transaction is there exactly when the transaction commits', async () => {
  await api.superuser.query('begin');
  await api.superuser.query(`select millrace.emit_event('order.paid', '{"id": 7}', tenant => $1)`, [
    tenantId,
  ]);
  await api.superuser.query('rollback');
  expect(await count()).toBe(0);
  const { rows } = await api.superuser.query(
    `select millrace.emit_event('order.paid', '{"id": 7}', tenant => $1, correlation_id => 'c-7') as id`,
    [tenantId],
  );
  const event = await api.superuser.query(
    'select name, data, source, correlation_id, tenant_id from millrace.app_events where id = $1',
    [rows[0].id],
  );
  expect(event.rows[0]).toEqual({
    name: 'order.paid',
    data: { id: 7 },
    source: 'sql',
    correlation_id: 'c-7',
    tenant_id: tenantId,
  });
});

test.each([
  [`'Order'`, `'{}'`, /name is 'Order'/],
  [`null`, `'{}'`, /name is null/],
  [`'a'`, `'[]'`, /no object/],
  [`'a'`, `jsonb_build_object('x', repeat('y', 300000))`, /262144 bytes/],
])('emit_event(%s, …) is refused and names the argument', async (name, data, message) => {
  await expect(
    api.superuser.query(`select millrace.emit_event(${name}, ${data}, tenant => $1)`, [tenantId]),
  ).rejects.toThrow(message);
});

test('a login that works for one tenant emits for no other', async () => {
  const other = await api.makeTenant();
  await api.superuser.query('begin');
  await api.superuser.query(`select set_config('millrace.tenant_id', $1, true)`, [tenantId]);
  await expect(api.superuser.query(`select millrace.emit_event('a', tenant => $1)`, [other])).rejects.toThrow(
    /not the one of this transaction/,
  );
  await api.superuser.query('rollback');
});
