import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';

let api: TestApi;
let tenantId: string;
let admin: string;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  admin = await api.token(tenantId, 'tenant_admin');
  await api.superuser.query(
    `insert into millrace.stored_usage_events (tenant_id, definition_id, job_id, attempt_no, outcome, wall_ms, cpu_ms, created_at)
     select $1, d.id, uuidv7(), n, case when n = 3 then 'failed' else 'succeeded' end, 3000000000::bigint / 2, case when n < 3 then 10 end,
            '2026-11-03T23:59:59Z'::timestamptz + (n / 4) * interval '2 seconds'
     from millrace.job_definitions d, generate_series(1, 4) n where d.key in ('echo', 'transcode')`,
    [tenantId],
  );
  await api.superuser.query(`update millrace.usage_rollup set rolled_until = '2026-11-01T00:00:00Z'`);
});
afterAll(() => api.close());

const FIELDS =
  '{ exactBefore days { date definitionKey runCount runsByOutcome { outcome runCount } wallMs cpuMs cpuMeasuredRunCount } }';
const usage = (args: string, token = admin, headers = {}) =>
  api.query(token, `{ usage(${args}) ${FIELDS} }`, {}, headers);
const NOVEMBER = 'from: "2026-11-01T00:00:00Z", to: "2026-11-30T12:00:00Z"';

test('usage comes by day (UTC) and definition, with runs by outcome and sums that no 32 bits hold', async () => {
  const { data, errors } = await usage(`${NOVEMBER}, filter: { definitions: ["echo"] }`);
  expect(errors).toEqual([]);
  expect(data.usage.days).toEqual([
    {
      date: '2026-11-03',
      definitionKey: 'echo',
      runCount: '3',
      runsByOutcome: [
        { outcome: 'FAILED', runCount: '1' },
        { outcome: 'SUCCEEDED', runCount: '2' },
      ],
      wallMs: '4500000000',
      cpuMs: '20',
      cpuMeasuredRunCount: '2',
    },
    {
      date: '2026-11-04',
      definitionKey: 'echo',
      runCount: '1',
      runsByOutcome: [{ outcome: 'SUCCEEDED', runCount: '1' }],
      wallMs: '1500000000',
      cpuMs: null,
      cpuMeasuredRunCount: '0',
    },
  ]);
  expect((await usage(NOVEMBER)).data.usage.days).toHaveLength(4);
  // The whole day, whatever the hour.
  const oneDay =
    'from: "2026-11-04T17:00:00Z", to: "2026-11-04T01:00:00Z", filter: { definitions: ["echo"] }';
  expect((await usage(oneDay)).data.usage.days).toHaveLength(1);
});

test('a range that is reversed or longer than a year is refused with what is allowed', async () => {
  for (const args of [
    'from: "2026-11-02T00:00:00Z", to: "2026-11-01T00:00:00Z"',
    'from: "2025-11-01T00:00:00Z", to: "2026-11-02T00:00:00Z"',
  ]) {
    const [error] = (await usage(args)).errors;
    expect(error?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'to' });
    expect(error?.message).toMatch(/1 to 366 days/);
  }
  expect((await usage('from: "2025-11-02T00:00:00Z", to: "2026-11-02T00:00:00Z"')).errors).toEqual([]);
});

test('a super admin sees the usage of the tenant that the header names', async () => {
  const root = await api.token(await api.makeTenant(), 'super_admin');
  expect((await usage(NOVEMBER, root)).data.usage.days).toEqual([]);
  const named = await usage(NOVEMBER, root, { 'x-millrace-tenant': tenantId });
  expect(named.data.usage.days).toHaveLength(4);
});

test('far behind its sums, usage counts the oldest runs that are in none and says until when it is exact', async () => {
  const behind = await api.makeTenant();
  const asked = await api.token(behind, 'tenant_admin');
  await api.superuser.query(
    `insert into millrace.stored_usage_events (tenant_id, definition_id, job_id, attempt_no, outcome, wall_ms, created_at)
     select $1, d.id, uuidv7(), n, 'succeeded', 1, '2026-11-01T00:00:00Z'::timestamptz + n * interval '1 second'
     from millrace.job_definitions d, generate_series(1, 200010) n where d.key = 'echo'`,
    [behind],
  );
  const { data, errors } = await usage(NOVEMBER, asked);
  expect(errors).toEqual([]);
  const runs = data.usage.days.map((day: { readonly runCount: string }) => Number(day.runCount));
  expect(runs.reduce((sum: number, count: number) => sum + count, 0)).toBe(200_000);
  // The next run ended at second 200,001.
  expect(data.usage.exactBefore).toBe('2026-11-03T07:33:21.000Z');
  const all = (await usage(NOVEMBER)).data.usage;
  expect(Date.now() - Date.parse(all.exactBefore)).toBeLessThan(60_000);
});

test('statistics have the waits, runs and errors of the jobs that ended recently, those that failed alike together', async () => {
  await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, status, scheduled_for, queued_at, claimed_at, started_at, finished_at, last_error)
     select $1, d.id, case when n > 18 then 'failed' else 'succeeded' end, t.at - n * interval '1 s', t.at - n * interval '1 s', t.at, t.at,
            t.at + n * interval '100 ms',
            case when n > 18 then jsonb_build_object('type', 'Refused', 'message', 'Order ' || n || ' is refused') end
     from millrace.job_definitions d, generate_series(1, 20) n, (select now() - interval '90 s') t (at) where d.key = 'echo'`,
    [tenantId],
  );
  const document = `{ jobStatistics(sinceSeconds: 3600) { jobCount
    definitions { definitionKey endedCount failedCount medianWaitMs p95WaitMs medianRunMs p95RunMs }
    intervals { endedCount failedCount } failures { definitionKey errorType message jobCount } } }`;
  const { data, errors } = await api.query(admin, document);
  expect(errors).toEqual([]);
  const { jobCount, definitions, intervals, failures } = data.jobStatistics;
  expect(jobCount).toBe(20);
  expect(definitions).toEqual([
    {
      definitionKey: 'echo',
      endedCount: 20,
      failedCount: 2,
      medianWaitMs: 10_500,
      p95WaitMs: 19_050,
      medianRunMs: 1_050,
      p95RunMs: 1_905,
    },
  ]);
  expect(failures).toEqual([
    { definitionKey: 'echo', errorType: 'Refused', message: 'Order 20 is refused', jobCount: 2 },
  ]);
  expect(intervals).toHaveLength(60);
  expect(intervals.reduce((sum: number, each: { endedCount: number }) => sum + each.endedCount, 0)).toBe(20);
  const [refused] = (await api.query(admin, '{ jobStatistics(sinceSeconds: 7) { jobCount } }')).errors;
  expect(refused?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'sinceSeconds' });
});
