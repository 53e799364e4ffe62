import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVENT_CHANNEL, WORK_CHANNEL } from '../../../src/db/channels.ts';
import { dispatchEvents } from '../../../src/domains/triggers/dispatch/dispatch-events.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { waitFor } from '../../support/wait.ts';
import { openDispatchers } from './dispatchers.ts';

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

test('an event wakes the dispatcher, and its jobs the workers; its correlation id is carried on to them', async () => {
  await api.superuser.query(
    `insert into millrace.triggers (tenant_id, definition_id, label, kind, event_pattern, payload_template)
     select $1, id, 't', 'event', 'order.*', '{"message": "{{event.$correlationId}}"}' from millrace.job_definitions where key = 'echo'`,
    [tenantId],
  );
  const heard = new Set<string>();
  api.superuser.on('notification', ({ channel }) => heard.add(channel));
  await api.superuser.query(`listen ${EVENT_CHANNEL}; listen ${WORK_CHANNEL}`);
  const { rows } = await api.superuser.query(
    `select millrace.emit_event('order.sent', tenant => $1, correlation_id => 'c-8') as id`,
    [tenantId],
  );
  await waitFor(async () => heard.has(EVENT_CHANNEL), { describe: 'the dispatcher to be woken' });
  const dispatchers = openDispatchers(api.databaseUrl, 1);
  await dispatchers.drain(dispatchEvents);
  await dispatchers.close();
  await waitFor(async () => heard.has(WORK_CHANNEL), { describe: 'the workers to be woken' });
  const jobs = await api.superuser.query(
    `select source, source_ref, correlation_id, payload ->> 'message' as message from millrace.jobs where source_ref = $1`,
    [rows[0].id],
  );
  expect(jobs.rows).toEqual([
    { source: 'event', source_ref: rows[0].id, correlation_id: 'c-8', message: 'c-8' },
  ]);
});
