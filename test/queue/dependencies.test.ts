import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ClaimedJob, Dependency, DependencyPolicy } from '../../src/core/queue.ts';
import { finishPendingCancels } from '../../src/queue/pending-cancel-finisher.ts';
import { testPipelines } from '../support/pipelines.ts';
import { jobError, measured, openTestQueue, succeeded, type TestQueue } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';

let q: TestQueue;
let tenantId: string;
beforeAll(async () => {
  q = await openTestQueue();
});
beforeEach(async () => {
  await q.clear();
  tenantId = await q.makeTenant();
});
afterAll(() => q.close());

const failed = { kind: 'final', settlement: { status: 'failed', error: jobError() } } as const;
const deadLetter = { kind: 'final', settlement: { status: 'dead_letter', error: jobError() } } as const;

async function enqueue(
  dependsOn: readonly Dependency[] = [],
  dedupeKey: string | null = null,
): Promise<string> {
  const input = { definitionKey: 'alpha', payload: {}, dependsOn, dedupeKey };
  const [result] = await q.queue.enqueue(tenantId, [input]);
  return result?.id ?? '';
}

const on = (jobId: string, policy?: DependencyPolicy): Dependency =>
  policy === undefined ? { jobId } : { jobId, policy };

async function claimOne(id: string): Promise<ClaimedJob> {
  const claimed = (await q.claim(500)).find(({ job }) => job.id === id);
  if (claimed === undefined) throw new Error(`job ${id} cannot be claimed`);
  return claimed;
}

async function run(id: string, finish: Parameters<typeof q.queue.finish>[1] = succeeded()): Promise<void> {
  expect(await q.queue.finish(await claimOne(id), finish, measured())).toBe('settled');
}

const cancel = (id: string, reason: string | null = null) => q.queue.cancel(tenantId, id, 'user:ann', reason);

async function ended(id: string) {
  return waitFor(
    async () => {
      const job = await q.job(id);
      return job['finished_at'] !== null && job;
    },
    { describe: `the end of job ${id}` },
  );
}

const claimable = async (): Promise<readonly string[]> => (await q.claim(500)).map(({ job }) => job.id);

describe('a job that depends on others', () => {
  test('is not claimed before the last of them has succeeded', async () => {
    const [first, second] = [await enqueue(), await enqueue()];
    const child = await enqueue([on(first), on(second)]);
    expect(await q.job(child)).toMatchObject({ status: 'queued', pending_dependencies: 2 });
    const held = new Map((await q.claim(500)).map((claimed) => [claimed.job.id, claimed]));
    expect([...held.keys()].toSorted()).toEqual([first, second].toSorted());
    await q.queue.finish(held.get(first) as ClaimedJob, succeeded(), measured());
    expect(await q.job(child)).toMatchObject({ pending_dependencies: 1 });
    expect(await claimable()).toEqual([]);
    await q.queue.finish(held.get(second) as ClaimedJob, succeeded(), measured());
    expect(await claimable()).toEqual([child]);
  });

  test('is ready at once when they have all succeeded already', async () => {
    const parent = await enqueue();
    await run(parent);
    const child = await enqueue([on(parent)]);
    expect(await q.job(child)).toMatchObject({ pending_dependencies: 0, cancel_requested_at: null });
    expect(await claimable()).toEqual([child]);
  });

  test('keeps waiting while a parent goes back to the queue for another try', async () => {
    const parent = await enqueue();
    const child = await enqueue([on(parent)]);
    await run(parent, { kind: 'retry', delaySeconds: 0, error: jobError() });
    expect(await q.job(child)).toMatchObject({ status: 'queued', pending_dependencies: 1 });
  });

  test('never becomes ready behind the mark of a worker: its time is the moment it was released', async () => {
    const parent = await enqueue();
    const child = await enqueue([on(parent)]);
    const before = (await q.superuser.query('select clock_timestamp() as at')).rows[0].at as Date;
    await run(parent);
    expect(((await q.job(child))['scheduled_for'] as Date) >= before).toBe(true);
  });

  test('that is created twice under one dedupe key has the edges of the first', async () => {
    const parent = await enqueue();
    const child = await enqueue([on(parent)], 'once');
    expect(await enqueue([], 'once')).toBe(child);
    expect(await q.job(child)).toMatchObject({ pending_dependencies: 1 });
  });
});

describe('a parent that does not succeed', () => {
  test.each([
    ['failed', failed],
    ['dead_letter', deadLetter],
    ['canceled', { kind: 'final', settlement: { status: 'canceled', reason: 'asked' } }],
  ] as const)('ends as %s: its children are canceled, skipped or run by their policy', async (_, finish) => {
    const parent = await enqueue();
    const byDefault = await enqueue([on(parent)]);
    const skips = await enqueue([on(parent, 'skip')]);
    const runs = await enqueue([on(parent, 'run')]);
    await run(parent, finish);
    expect(await ended(byDefault)).toMatchObject({ status: 'canceled', reason: 'parent_failed', run_no: 0 });
    expect(await ended(skips)).toMatchObject({ status: 'canceled', reason: 'skipped', run_no: 0 });
    expect(await claimable()).toEqual([runs]);
  });

  test('acts just so on a child that is enqueued only afterwards', async () => {
    const parent = await enqueue();
    await run(parent, failed);
    const cancels = await enqueue([on(parent, 'cancel')]);
    const skips = await enqueue([on(parent, 'skip')]);
    const runs = await enqueue([on(parent, 'run')]);
    expect(await q.job(cancels)).toMatchObject({ status: 'canceled', reason: 'parent_failed' });
    expect(await q.job(skips)).toMatchObject({ status: 'canceled', reason: 'skipped' });
    expect(await claimable()).toEqual([runs]);
  });

  test('cancels the children of its children, and so on', async () => {
    const parent = await enqueue();
    const child = await enqueue([on(parent)]);
    const grandchild = await enqueue([on(child)]);
    const last = await enqueue([on(grandchild, 'run')]);
    await run(parent, failed);
    expect(await ended(grandchild)).toMatchObject({ status: 'canceled', reason: 'parent_failed' });
    await waitFor(async () => (await q.job(last))['pending_dependencies'] === 0, { describe: 'its release' });
    expect(await claimable()).toEqual([last]);
  });

  test('skips a child, whose own children take that for success', async () => {
    const parent = await enqueue();
    const skipped = await enqueue([on(parent, 'skip')]);
    const child = await enqueue([on(skipped, 'cancel')]);
    await run(parent, failed);
    await ended(skipped);
    expect(await claimable()).toEqual([child]);
    const later = await enqueue([on(skipped, 'cancel')]);
    expect(await claimable()).toEqual([later]);
  });

  test('does not wait for the other parents', async () => {
    const [bad, other] = [await enqueue(), await enqueue()];
    const child = await enqueue([on(bad), on(other)]);
    await run(bad, failed);
    expect(await ended(child)).toMatchObject({ status: 'canceled', reason: 'parent_failed' });
  });

  test('is also one that is canceled while it waits in the queue', async () => {
    const parent = await enqueue();
    const [child, runs] = [await enqueue([on(parent)]), await enqueue([on(parent, 'run')])];
    await cancel(parent);
    // No waiting: the call returns when what it doomed has ended.
    expect(await q.job(child)).toMatchObject({ status: 'canceled', reason: 'parent_failed' });
    expect(await claimable()).toEqual([runs]);
  });

  test("is not taken for skipped because somebody gave that word as a cancel's reason", async () => {
    const parent = await enqueue();
    const child = await enqueue([on(parent)]);
    await cancel(parent, 'skipped');
    expect(await q.job(parent)).toMatchObject({ reason: 'canceled by user:ann: skipped' });
    expect(await q.job(child)).toMatchObject({ status: 'canceled', reason: 'parent_failed' });
  });
});

describe('what a job may depend on', () => {
  const missing = '01890000-0000-7000-8000-000000000000';
  const refused = async (dependsOn: readonly Dependency[]) =>
    enqueue(dependsOn).then(
      () => 'taken',
      (error: { code: string; details: { field: string } }) => [error.code, error.details.field],
    );

  test('is a job of the same tenant that exists, named at most once, by a known policy', async () => {
    const parent = await enqueue();
    const own = tenantId;
    tenantId = await q.makeTenant();
    const foreign = await enqueue();
    tenantId = own;
    expect(await refused([on(parent), on(missing)])).toEqual(['InvalidArgument', 'dependsOn[1].jobId']);
    expect(await refused([on(foreign)])).toEqual(['InvalidArgument', 'dependsOn[0].jobId']);
    expect(await refused([on('not an id')])).toEqual(['InvalidArgument', 'dependsOn[0].jobId']);
    expect(await refused([on(parent), on(parent.toUpperCase())])).toEqual([
      'InvalidArgument',
      'dependsOn[1].jobId',
    ]);
    expect(await refused([on(parent, 'hope' as DependencyPolicy)])).toEqual([
      'InvalidArgument',
      'dependsOn[0].policy',
    ]);
    const { rows } = await q.superuser.query('select count(*)::int from millrace.jobs where tenant_id = $1', [
      own,
    ]);
    expect(rows[0].count).toBe(1);
  });

  test('is at most 100 jobs', async () => {
    const inputs = Array.from({ length: 101 }, () => ({ definitionKey: 'alpha', payload: {} }));
    const parents = (await q.queue.enqueue(tenantId, inputs)).map(({ id }) => on(id));
    expect(await refused(parents)).toEqual(['InvalidArgument', 'dependsOn']);
    const child = await enqueue(parents.slice(1));
    expect(await q.job(child)).toMatchObject({ pending_dependencies: 100 });
    for (const claimed of await q.claim(500)) await q.queue.finish(claimed, succeeded(), measured());
    expect(await claimable()).toEqual([child]);
  });

  test('is never itself: the database refuses the edge', async () => {
    const job = await enqueue();
    const edge = q.superuser.query(
      'insert into millrace.job_dependencies (job_id, depends_on_id, tenant_id) values ($1, $1, $2)',
      [job, tenantId],
    );
    await expect(edge).rejects.toMatchObject({ code: '23514' });
  });
});

describe('a parent that is deleted by SQL', () => {
  const erase = (...ids: readonly string[]) =>
    q.superuser.query('delete from millrace.jobs where id = any ($1)', [ids]);

  test.each(['queued', 'running'])(
    'while it is %s counts as one that failed: its children do what their policies say',
    async (status) => {
      const parent = await enqueue();
      const cancels = await enqueue([on(parent)]);
      const skips = await enqueue([on(parent, 'skip')]);
      const runs = await enqueue([on(parent, 'run')]);
      const grandchild = await enqueue([on(cancels, 'run')]);
      if (status === 'running') await claimOne(parent);
      await erase(parent);
      expect(await q.job(cancels)).toMatchObject({ reason: 'parent_failed', pending_dependencies: 0 });
      await finishPendingCancels(q.db, q.notifier, testPipelines, 10);
      expect(await ended(cancels)).toMatchObject({ status: 'canceled', reason: 'parent_failed' });
      expect(await ended(skips)).toMatchObject({ status: 'canceled', reason: 'skipped' });
      expect(new Set(await claimable())).toEqual(new Set([runs, grandchild]));
    },
  );

  test('does not let those run that wait for another parent still', async () => {
    const [gone, other] = [await enqueue(), await enqueue()];
    const child = await enqueue([on(gone, 'run'), on(other)]);
    await erase(gone);
    expect(await q.job(child)).toMatchObject({ status: 'queued', pending_dependencies: 1, reason: null });
    await run(other);
    expect(await claimable()).toEqual([child]);
  });

  test('after it has succeeded changes nothing for those that wait for another', async () => {
    const [done, other] = [await enqueue(), await enqueue()];
    const child = await enqueue([on(done), on(other)]);
    await run(done);
    await erase(done);
    expect(await q.job(child)).toMatchObject({ status: 'queued', pending_dependencies: 1, reason: null });
  });

  test('together with its children takes them along', async () => {
    const parent = await enqueue();
    const child = await enqueue([on(parent)]);
    await erase(parent, child);
    expect(await q.job(child)).toBeUndefined();
  });
});
