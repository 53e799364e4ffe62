import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemCaller } from '../../src/access/admissions.ts';
import { WORK_CHANNEL } from '../../src/db/channels.ts';
import { transcode } from '../../src/domains/videos/definitions/transcode.ts';
import { pauseDefinition } from '../../src/operations/pause-definition.ts';
import { pauseTenant } from '../../src/operations/pause-tenant.ts';
import { PostgresProducerQueue } from '../../src/queue/producer-verbs.ts';
import { testPipelines } from '../support/pipelines.ts';
import { alpha, beta, measured, openTestQueue, succeeded, type TestQueue } from '../support/queue.ts';

let q: TestQueue;
let deps: { db: TestQueue['db']; queue: PostgresProducerQueue };
beforeAll(async () => {
  q = await openTestQueue([alpha, beta, transcode]);
  deps = { db: q.db, queue: new PostgresProducerQueue(q.db, q.notifier, { pipelines: testPipelines }) };
});
beforeEach(() => q.clear());
afterAll(() => q.close());

const enqueue = async (tenantId: string, definitionKey: string) =>
  (await q.queue.enqueue(tenantId, [{ definitionKey, payload: {} }]))[0]?.id ?? '';
const claimedIds = async () => (await q.claim(50)).map((item) => item.job.id).sort();

/** Runs `lift` and waits for the notification that wakes idle workers. */
async function notifiedBy(lift: () => Promise<unknown>): Promise<void> {
  const heard: string[] = [];
  q.superuser.on('notification', ({ channel }) => heard.push(channel));
  await q.superuser.query(`listen ${WORK_CHANNEL}`);
  await lift();
  await expect.poll(() => heard).toContain(WORK_CHANNEL);
  await q.superuser.query(`unlisten ${WORK_CHANNEL}`);
  q.superuser.removeAllListeners('notification');
}

describe('a pause', () => {
  test('of a definition stops its claims in every tenant, lets what runs go on, and ends with a notification', async () => {
    const [one, two] = [await q.makeTenant(), await q.makeTenant()];
    const actor = systemCaller(one);
    const [running] = [await enqueue(one, 'alpha')];
    const [claimed] = await q.claim(1);
    const waiting = [await enqueue(one, 'alpha'), await enqueue(two, 'alpha')].sort();
    const other = await enqueue(two, 'beta');
    await pauseDefinition(deps, actor, 'alpha', { isPaused: true });
    expect(await claimedIds()).toEqual([other]);
    expect(claimed?.job.id).toBe(running);
    if (claimed !== undefined) expect(await q.queue.finish(claimed, succeeded(), measured())).toBe('settled');
    await notifiedBy(() => pauseDefinition(deps, actor, 'alpha', { isPaused: false }));
    expect(await claimedIds()).toEqual(waiting);
  });

  test('of a tenant stops the claims of its jobs and of nobody else’s', async () => {
    const [paused, other] = [await q.makeTenant(), await q.makeTenant()];
    const [waiting, free] = [await enqueue(paused, 'alpha'), await enqueue(other, 'alpha')];
    await pauseTenant(deps, systemCaller(paused), { isPaused: true });
    expect(await claimedIds()).toEqual([free]);
    await notifiedBy(() => pauseTenant(deps, systemCaller(paused), { isPaused: false }));
    expect(await claimedIds()).toEqual([waiting]);
  });
});

test('many jobs that are canceled and retried take their videos along, as one job does', async () => {
  const tenantId = await q.makeTenant();
  const { rows } = await q.superuser.query(
    `insert into millrace.videos (tenant_id, title, original_key, status)
     select $1, 'v', 'k' || n, 'uploaded' from generate_series(1, 3) n returning id`,
    [tenantId],
  );
  const subjects = rows.map((row) => ({ type: 'video', id: row.id as string }));
  const jobs = await q.queue.enqueue(
    tenantId,
    subjects.map((subject) => ({ definitionKey: 'transcode', payload: {}, subject })),
  );
  const many = { tenantId, ids: jobs.map((job) => job.id), statuses: null, by: 'user:ann', filter: {} };
  const videos = async () =>
    (
      await q.superuser.query(
        `select distinct status, error->>'type' as type, error->>'message' as message from millrace.videos where tenant_id = $1`,
        [tenantId],
      )
    ).rows;
  await deps.queue.cancelMany(many, 'wrong file');
  expect(await videos()).toEqual([{ status: 'failed', type: 'Canceled', message: 'wrong file' }]);
  expect(await deps.queue.retryMany(many, 0)).toMatchObject({ changedCount: 3 });
  expect(await videos()).toEqual([{ status: 'processing', type: null, message: null }]);
});
