import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JobDefinition } from '../../src/core/definition.ts';
import { syncDefinitions } from '../../src/queue/sync-definitions.ts';
import { alpha, openTestQueue, type TestQueue } from '../support/queue.ts';

let q: TestQueue;
beforeAll(async () => {
  q = await openTestQueue([alpha]);
});
afterAll(() => q.close());

const declare = (changes: Partial<JobDefinition>) => syncDefinitions(q.db, [{ ...alpha, ...changes }]);
const row = async () =>
  (
    await q.superuser.query(
      `select max_running, max_running_per_tenant, rate_limit_count, rate_limit_period_seconds, rate_limit_per_tenant_count,
              rate_limit_per_tenant_period_seconds, snooze_deadline_seconds, retention_seconds, max_snoozes, xmin::text
       from millrace.job_definitions where key = 'alpha'`,
    )
  ).rows[0];

test('declared limits, rates, deadline and retention are written, and taken back when they are declared no more', async () => {
  await declare({
    maxRunning: 3,
    maxRunningPerTenant: 2,
    rateLimit: { count: 10, periodSeconds: 60 },
    rateLimitPerTenant: { count: 5, periodSeconds: 30 },
    snoozeDeadlineSeconds: 900,
    retentionSeconds: 86_400,
  });
  expect(await row()).toMatchObject({
    max_running: 3,
    max_running_per_tenant: 2,
    rate_limit_count: 10,
    rate_limit_period_seconds: 60,
    rate_limit_per_tenant_count: 5,
    rate_limit_per_tenant_period_seconds: 30,
    snooze_deadline_seconds: 900,
    retention_seconds: '86400',
  });
  await declare({});
  expect(await row()).toMatchObject({ max_running: null, rate_limit_count: null, retention_seconds: null });
});

test('what an operator has set stays over starts, also when its declaration changes', async () => {
  await declare({ maxRunning: 3, rateLimit: { count: 10, periodSeconds: 60 } });
  await q.superuser.query('update millrace.job_definitions set max_running = 7, rate_limit_count = 20');
  await declare({ maxRunning: 3, rateLimit: { count: 10, periodSeconds: 60 }, maxSnoozes: 5 });
  expect(await row()).toMatchObject({ max_running: 7, rate_limit_count: 20, max_snoozes: 5 });
  await declare({ maxRunning: 4, rateLimit: null });
  expect(await row()).toMatchObject({ max_running: 7, rate_limit_count: 20, rate_limit_period_seconds: 60 });
  const { rows } = await q.superuser.query(
    `select declared -> 'maxRunning' as declared, override from millrace.job_definitions where key = 'alpha'`,
  );
  expect(rows[0]).toEqual({
    declared: 4,
    override: { maxRunning: 7, rateLimit: { count: 20, periodSeconds: 60 } },
  });
  await q.superuser.query(`update millrace.job_definitions set override = '{}'`);
  await declare({ maxRunning: null, rateLimit: null });
  expect(await row()).toMatchObject({
    max_running: null,
    rate_limit_count: null,
    rate_limit_period_seconds: null,
  });
});

test('a limit that an operator has set where the code declares none stays', async () => {
  await declare({});
  await q.superuser.query('update millrace.job_definitions set max_running = 9');
  await declare({ description: 'another text' });
  expect((await row()).max_running).toBe(9);
});

test('a row that is as declared is not written again', async () => {
  await declare({ maxRunning: 2 });
  const before = (await row()).xmin;
  await declare({ maxRunning: 2 });
  expect((await row()).xmin).toBe(before);
});
