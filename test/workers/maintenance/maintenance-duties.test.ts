import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { checkMaintenance } from '../../../src/cli/doctor/database.ts';
import type { Duty } from '../../../src/core/duty.ts';
import { Gauges } from '../../../src/telemetry/gauges.ts';
import { startMaintenance } from '../../../workers/maintenance/round.ts';
import { openTestQueue, silentLog, type TestQueue } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';
import { definitions } from '../runtime/support/definitions.ts';

let q: TestQueue;
let tenantId: string;

beforeAll(async () => {
  q = await openTestQueue(definitions);
  tenantId = await q.makeTenant();
});
beforeEach(() => q.clear());
afterAll(() => q.close());

const deps = () => ({ database: q.db, queue: q.queue, notifier: q.notifier, log: silentLog });

test('a duty that fails, or takes forever, keeps no other from its turn, and leases are rescued meanwhile', async () => {
  const turns = { failing: 0, after: 0 };
  const release = Promise.withResolvers<void>();
  const duties: Duty[] = [
    {
      name: 'failing',
      everyMs: 20,
      run: async () => {
        turns.failing++;
        throw new Error('it does not work');
      },
    },
    { name: 'after', everyMs: 20, run: async () => ({ turns: ++turns.after }) },
    {
      name: 'endless',
      everyMs: 20,
      run: async () => {
        if (turns.after >= 3) await release.promise;
        return {};
      },
    },
  ];
  const gauges = new Gauges();
  const maintenance = startMaintenance(deps(), { everyMs: 100, gauges, duties });
  onTestFinished(async () => {
    release.resolve();
    await maintenance.stop();
  });
  await waitFor(() => turns.failing >= 3 && turns.after >= 3, {
    describe: 'both to have had their turns',
  });
  const [job] = await q.queue.enqueue(tenantId, [{ definitionKey: 'task', payload: {} }]);
  await q.claim(1);
  await waitFor(async () => (await q.job(job?.id ?? ''))['status'] === 'queued', {
    describe: 'the lease of 2 s to end and be rescued',
  });
  const figures = gauges.read().map(({ name }) => name);
  expect(figures).toEqual(
    expect.arrayContaining(['millrace_maintenance_leading', 'millrace_overdue_leases']),
  );
});

test('the leader deletes what is due, ends what has expired and measures what waits', async () => {
  const [due, expired, waiting] = await q.queue.enqueue(
    tenantId,
    [1, 2, 3].map(() => ({ definitionKey: 'task', payload: {} })),
  );
  await q.queue.cancel(tenantId, due?.id ?? '', 'user:ann', null);
  await q.superuser.query(`update millrace.jobs set finished_at = now() - interval '2 days' where id = $1`, [
    due?.id,
  ]);
  await q.superuser.query(`update millrace.jobs set expires_at = now() - interval '1 second' where id = $1`, [
    expired?.id,
  ]);
  const gauges = new Gauges();
  const maintenance = startMaintenance(deps(), { everyMs: 100, gauges, retentionDays: 1 });
  onTestFinished(() => maintenance.stop());
  await waitFor(async () => (await q.job(due?.id ?? '')) === undefined, {
    describe: 'the finished job to be deleted',
  });
  await waitFor(async () => (await q.job(expired?.id ?? ''))['status'] === 'canceled', {
    describe: 'the expired job to end',
  });
  expect((await q.job(waiting?.id ?? ''))['status']).toBe('queued');
  const value = (name: string) => gauges.read().find((gauge) => gauge.name === name)?.value;
  await waitFor(() => value('millrace_waiting_jobs') !== undefined, {
    describe: 'the queue to be measured',
  });
  expect(value('millrace_maintenance_leading')).toBe(1);
  expect(maintenance.leads).toBe(true);
  await maintenance.stop();
  expect(maintenance.leads).toBe(false);
});

test('how far retention and usage are behind is a metric of the leader and a line of doctor', async () => {
  await q.superuser.query(
    'delete from millrace.retention_positions; delete from millrace.maintenance_duties',
  );
  await q.superuser.query(
    `update millrace.usage_rollup set rolled_until = date_trunc('hour', now()) - interval '12 hours'`,
  );
  const [old] = await q.queue.enqueue(tenantId, [{ definitionKey: 'task', payload: {} }]);
  await q.superuser.query(
    `update millrace.jobs set status = 'canceled', finished_at = now() - interval '3 days', cancel_requested_at = now() where id = $1`,
    [old?.id],
  );
  const gauges = new Gauges();
  const maintenance = startMaintenance(deps(), { everyMs: 100, gauges, retentionDays: 1 });
  onTestFinished(() => maintenance.stop());
  const noted = async () =>
    (
      await q.superuser.query(
        `select name from millrace.maintenance_duties where lag_seconds > 3600 order by name`,
      )
    ).rows;
  await waitFor(async () => (await noted()).length === 2, {
    describe: 'both duties to note how far they were behind',
  });
  const lagOf = (name: string) =>
    gauges.read().find((gauge) => gauge.name === `millrace_duty_${name}_lag_seconds`)?.value;
  expect(lagOf('retention')).toBeGreaterThan(2 * 86_400 - 120);
  expect(lagOf('retention')).toBeLessThan(2 * 86_400 + 120);
  expect(lagOf('usage')).toBeGreaterThan(10 * 3_600);
  const finding = await checkMaintenance(q.db);
  expect(finding).toMatchObject({
    verdict: 'warn',
    message: expect.stringContaining('retention is 48 hours behind'),
  });
  expect(finding.message).toMatch(/usage is 1[0-3] hours behind/);
});

test('usage goes on while a deletion of finished jobs waits for others', async () => {
  const [old] = await q.queue.enqueue(tenantId, [{ definitionKey: 'task', payload: {} }]);
  await q.superuser.query(
    `update millrace.jobs set status = 'canceled', finished_at = now() - interval '3 days', cancel_requested_at = now() where id = $1`,
    [old?.id],
  );
  await q.superuser.query(
    `update millrace.usage_rollup set rolled_until = date_trunc('hour', now()) - interval '5 hours'`,
  );
  const behind = async () =>
    (
      await q.superuser.query<{ behind: boolean }>(
        `select rolled_until < now() - interval '3 hours' as behind from millrace.usage_rollup`,
      )
    ).rows[0]?.behind;
  // What a deletion leaves traces in.
  await q.superuser.query('delete from millrace.retention_positions');
  await q.superuser.query('begin');
  await q.superuser.query('lock table millrace.job_tombstones in exclusive mode');
  const maintenance = startMaintenance(deps(), { everyMs: 100, gauges: new Gauges(), retentionDays: 1 });
  onTestFinished(async () => {
    await q.superuser.query('rollback').catch(() => undefined);
    await maintenance.stop();
  });
  await waitFor(async () => (await behind()) === false, { describe: 'the hours to be summed up' });
  expect(await q.job(old?.id ?? '')).toBeDefined();
  await q.superuser.query('rollback');
  await waitFor(async () => (await q.job(old?.id ?? '')) === undefined, {
    describe: 'the job to be deleted',
  });
});
