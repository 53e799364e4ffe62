import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { handBackUnknownClaims } from '../../../src/db/sql/worker/hand-back-unknown-claims.ts';
import { Gauges } from '../../../src/telemetry/gauges.ts';
import { tombstonesDuty, workersDuty } from '../../../workers/maintenance/pruner.ts';
import { rescueDuty } from '../../../workers/maintenance/rescuer.ts';
import { startMaintenance } from '../../../workers/maintenance/round.ts';
import { openTestQueue, silentLog, type TestQueue } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';
import { definitions } from '../runtime/support/definitions.ts';
import { turn } from '../runtime/support/turn.ts';

let q: TestQueue;
let tenantId: string;
const gauges = new Gauges();

beforeAll(async () => {
  q = await openTestQueue(definitions);
  tenantId = await q.makeTenant();
});
beforeEach(() => q.clear());
afterAll(() => q.close());

/** A claimed job of `task` (lease 2 s) whose lease ended a minute ago. */
async function expiredJob(): Promise<string> {
  const [job] = await q.queue.enqueue(tenantId, [{ definitionKey: 'task', payload: {} }]);
  await q.claim();
  await q.superuser.query(
    "update millrace.jobs set lease_expires_at = now() - interval '1 minute' where id = $1",
    [job?.id],
  );
  return job?.id ?? '';
}

/** One after the other: they share a client. */
async function jobs(ids: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const found = [];
  for (const id of ids) found.push(await q.job(id));
  return found;
}

const deps = () => ({ database: q.db, queue: q.queue, log: silentLog });

function rescueAfter(upSeconds: number): Promise<Record<string, number>> {
  return rescueDuty({ ...deps(), gauges, everyMs: 1_000 }).run(turn(upSeconds));
}

test('leases that end because the database was away are not taken for one lease after it is back', async () => {
  const id = await expiredJob();
  expect(await rescueAfter(1.9)).toEqual({ jobs: 0 });
  expect((await q.job(id))['status']).toBe('running');
  expect(await rescueAfter(2)).toEqual({ jobs: 1 });
  expect(await q.job(id)).toMatchObject({ status: 'queued', lost_lease_count: 1, attempt_count: 1 });
});

test('a lease that is overdue is counted in a figure and warned of, one that an outage excuses is not', async () => {
  const id = await expiredJob();
  const overdue = () => gauges.read().find(({ name }) => name === 'millrace_overdue_leases')?.value;
  // Somebody holds the row: the rescue goes round it.
  await q.superuser.query('begin');
  await q.superuser.query('select from millrace.jobs where id = $1 for update', [id]);
  expect(await rescueAfter(600)).toEqual({ jobs: 0 });
  expect(overdue()).toBe(1);
  expect(await rescueAfter(3)).toEqual({ jobs: 0 });
  expect(overdue()).toBe(0);
  await q.superuser.query('commit');
  expect(await rescueAfter(600)).toEqual({ jobs: 1 });
  expect(overdue()).toBe(0);
});

test('of several processes that do maintenance one leads, and ended leases go back within seconds', async () => {
  // Before anybody looks: a claim would take what was rescued meanwhile as well.
  const ids = [await expiredJob(), await expiredJob(), await expiredJob()];
  const all = [1, 2, 3].map(() => startMaintenance(deps(), { everyMs: 200, gauges: new Gauges() }));
  const stop = () => Promise.all(all.map((maintenance) => maintenance.stop()));
  onTestFinished(async () => void (await stop()));
  await waitFor(async () => (await jobs(ids)).every((job) => job['status'] === 'queued'), {
    describe: 'all leases to be taken',
  });
  await stop();
  for (const id of ids) expect(await q.job(id)).toMatchObject({ lost_lease_count: 1 });
});

test('jobs claimed under our name without our knowledge are handed back unspent, those we know are not', async () => {
  const results = await q.queue.enqueue(
    tenantId,
    [1, 2, 3].map(() => ({ definitionKey: 'task', payload: {} })),
  );
  await q.claim(2, 'worker-a');
  await q.claim(1, 'worker-b');
  const running = await jobs(results.map(({ id }) => id));
  const [known, unknown] = running.filter((job) => job['claimed_by_worker'] === 'worker-a');
  await q.db.asWorker(handBackUnknownClaims, ['worker-a', [known?.['id']], [known?.['run_no']]]);
  expect(await q.job(String(known?.['id']))).toMatchObject({ status: 'running' });
  expect(await q.job(String(unknown?.['id']))).toMatchObject({
    status: 'queued',
    run_no: 1,
    attempt_count: 0,
    lost_lease_count: 0,
    lease_token: null,
  });
  const others = running.find((job) => job['claimed_by_worker'] === 'worker-b');
  expect(await q.job(String(others?.['id']))).toMatchObject({ status: 'running' });
});

test('rows of workers that are gone and tombstones older than a cursor are removed, others stay', async () => {
  await q.superuser.query(`
    delete from millrace.job_tombstones;
    delete from millrace.job_workers;
    insert into millrace.job_workers (worker_id, hostname, pid, concurrency, last_seen_at)
    values ('fresh', 'h', 1, 1, now()), ('gone', 'h', 2, 1, now() - interval '1 hour')`);
  await q.queue.enqueue(
    tenantId,
    [1, 2, 3].map(() => ({ definitionKey: 'task', payload: {} })),
  );
  await q.clear();
  await q.superuser.query(`
    update millrace.job_tombstones set deleted_at = now() - interval '25 hours'
    where job_id in (select job_id from millrace.job_tombstones limit 2)`);
  await q.superuser.query(
    `insert into millrace.media_tombstones (id, kind, tenant_id, deleted_at)
     values (uuidv7(), 'video', $1, now() - interval '25 hours'), (uuidv7(), 'clip', $1, now() - interval '23 hours')`,
    [tenantId],
  );
  const before = (await q.superuser.query('select 1 from millrace.job_tombstones')).rowCount ?? 0;
  await workersDuty(q.queue, silentLog).run(turn());
  expect(await tombstonesDuty(q.db).run(turn())).toEqual({ tombstones: 3 });
  expect((await q.superuser.query('select 1 from millrace.job_tombstones')).rowCount).toBe(before - 2);
  const media = await q.superuser.query('select kind from millrace.media_tombstones');
  expect(media.rows).toEqual([{ kind: 'clip' }]);
  const { rows } = await q.superuser.query('select worker_id from millrace.job_workers');
  // A server that is younger than two minutes may have been what the worker could not reach.
  expect(rows.map((row) => row.worker_id)).toContain('fresh');
});
