import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ClaimedJob } from '../../../src/core/queue.ts';
import { dispatchEvents, MAX_CHAIN_DEPTH } from '../../../src/domains/triggers/dispatch/dispatch-events.ts';
import { PostgresProducerQueue } from '../../../src/queue/producer-verbs.ts';
import { testPipelines } from '../../support/pipelines.ts';
import { jobError, measured, openTestQueue, succeeded, type TestQueue } from '../../support/queue.ts';
import { type Dispatchers, openDispatchers } from './dispatchers.ts';

let q: TestQueue;
let dispatchers: Dispatchers;
let tenantId: string;

beforeAll(async () => {
  q = await openTestQueue();
  dispatchers = openDispatchers(q.url);
});
afterAll(async () => {
  await dispatchers.close();
  await q.close();
});
beforeEach(async () => {
  await q.clear();
  await q.superuser.query('delete from millrace.app_events; delete from millrace.triggers');
  tenantId = await q.makeTenant();
});

interface TriggerRow {
  readonly pattern: string;
  readonly definition?: string;
  readonly watched?: string | null;
  readonly condition?: object;
  readonly template?: object;
  readonly enabled?: boolean;
  readonly tenant?: string;
}

async function makeTrigger(row: TriggerRow): Promise<string> {
  const { rows } = await q.superuser.query(
    `insert into millrace.triggers (tenant_id, definition_id, label, kind, is_enabled, event_pattern, condition, watched_definition, payload_template, dedupe_window_seconds)
     values ($1, $2, 't', 'event', $3, $4, $5, $6, $7, 0) returning id`,
    [
      row.tenant ?? tenantId,
      q.definitionId(row.definition ?? 'beta'),
      row.enabled ?? true,
      row.pattern,
      row.condition ?? null,
      row.watched ?? null,
      row.template ?? {},
    ],
  );
  return rows[0].id;
}

async function events(): Promise<
  readonly { name: string; source_ref: string; data: Record<string, unknown>; chain_depth: number }[]
> {
  const { rows } = await q.superuser.query(
    'select name, source_ref, data, chain_depth from millrace.app_events order by id',
  );
  return rows;
}

async function enqueue(count = 1, fields: object = {}): Promise<string[]> {
  const inputs = Array.from({ length: count }, () => ({ definitionKey: 'alpha', payload: {}, ...fields }));
  return (await q.queue.enqueue(tenantId, inputs)).map(({ id }) => id);
}

async function run(result: unknown = null): Promise<ClaimedJob> {
  const [claimed] = (await q.claim(1)) as [ClaimedJob];
  expect(await q.queue.finish(claimed, succeeded(result), measured())).toBe('settled');
  return claimed;
}

const failing = (status: 'failed' | 'dead_letter') =>
  ({ kind: 'final', settlement: { status, error: jobError('no luck') } }) as const;

describe('the end of a job', () => {
  test('is an event whatever ended it, once', async () => {
    await makeTrigger({ pattern: 'job.*' });
    const [plain, rich, failed, dead, asked, one, other, bulk, late, parent] = await enqueue(10);
    const child = await enqueue(1, { dependsOn: [{ jobId: parent as string }] });
    await run();
    await run({ words: 7 });
    for (const status of ['failed', 'dead_letter'] as const) {
      const [claimed] = (await q.claim(1)) as [ClaimedJob];
      await q.queue.finish(claimed, failing(status), measured());
    }
    const [running] = (await q.claim(1)) as [ClaimedJob];
    await q.queue.cancel(tenantId, asked as string, 'user:ann', 'enough');
    await q.queue.finish(
      running,
      { kind: 'final', settlement: { status: 'canceled', reason: 'enough' } },
      measured(),
    );
    await q.queue.cancel(tenantId, one as string, 'user:ann', null);
    await new PostgresProducerQueue(q.db, q.notifier, { pipelines: testPipelines }).cancelMany(
      { tenantId, ids: [other as string, bulk as string], statuses: null, by: 'user:ann', filter: {} },
      null,
    );
    await q.superuser.query(`update millrace.jobs set expires_at = now() - interval '1 s' where id = $1`, [
      late,
    ]);
    await q.queue.expire(10);
    const [last] = (await q.claim(1)) as [ClaimedJob];
    await q.queue.finish(last, failing('failed'), measured());
    await q.queue.finishPendingCancels(10);
    const seen = await events();
    expect(Object.fromEntries(seen.map(({ source_ref, name }) => [source_ref, name]))).toEqual({
      [plain as string]: 'job.succeeded',
      [rich as string]: 'job.succeeded',
      [failed as string]: 'job.failed',
      [dead as string]: 'job.dead_letter',
      [asked as string]: 'job.canceled',
      [one as string]: 'job.canceled',
      [other as string]: 'job.canceled',
      [bulk as string]: 'job.canceled',
      [late as string]: 'job.canceled',
      [parent as string]: 'job.failed',
      [child[0] as string]: 'job.canceled',
    });
    expect(seen).toHaveLength(11);
    const dataOf = (id: string | undefined) => seen.find(({ source_ref }) => source_ref === id)?.data;
    expect(dataOf(rich)).toMatchObject({
      jobId: rich,
      definition: 'alpha',
      status: 'succeeded',
      result: { words: 7 },
    });
    expect(dataOf(failed)).toMatchObject({ error: { message: 'no luck' } });
    expect(dataOf(late)).toMatchObject({ reason: 'expired' });
  });

  test('is an event again when a job that was put back ends again', async () => {
    await makeTrigger({ pattern: 'job.dead_letter' });
    const [id] = await enqueue();
    for (let round = 0; round < 2; round++) {
      const [claimed] = (await q.claim(1)) as [ClaimedJob];
      await q.queue.finish(claimed, failing('dead_letter'), measured());
      if (round === 0) await q.queue.retry(tenantId, id as string, 'user:ann');
    }
    expect(await events()).toHaveLength(2);
  });

  test('is no event where no enabled trigger of its tenant may want it', async () => {
    const stranger = await q.makeTenant();
    await makeTrigger({ pattern: 'job.*', tenant: stranger });
    await makeTrigger({ pattern: 'job.*', enabled: false });
    await makeTrigger({ pattern: 'job.failed' });
    await makeTrigger({ pattern: 'job.succeeded', watched: 'beta' });
    await makeTrigger({ pattern: 'provider.*' });
    await enqueue(2);
    await run();
    await run({ a: 1 });
    expect(await events()).toEqual([]);
  });

  test('is no event when the transaction that ended it does not commit', async () => {
    await makeTrigger({ pattern: 'job.*' });
    const [id] = await enqueue();
    await q.superuser.query('begin');
    await q.superuser.query(
      `update millrace.jobs set status = 'canceled', finished_at = now() where id = $1`,
      [id],
    );
    await q.superuser.query('rollback');
    expect(await events()).toEqual([]);
    await q.superuser.query(
      `update millrace.jobs set status = 'canceled', finished_at = now() where id = $1`,
      [id],
    );
    expect(await events()).toMatchObject([{ name: 'job.canceled', source_ref: id }]);
  });

  test('leaves a large result out and says so', async () => {
    await makeTrigger({ pattern: 'job.*' });
    await enqueue();
    await run({ text: 'x'.repeat(300_000) });
    expect((await events())[0]?.data).toMatchObject({ isResultOmitted: true });
    expect((await events())[0]?.data).not.toHaveProperty('result');
  });
});

describe('a chain', () => {
  test('makes the next job of each result once, with five dispatchers whose connections are killed', async () => {
    await makeTrigger({
      pattern: 'job.succeeded',
      watched: 'alpha',
      condition: { field: 'definition', equals: 'alpha' },
      template: { words: '{{event.result.words}}', from: '{{event.jobId}}' },
    });
    const ids = await enqueue(400);
    const claimed = await q.claim(400);
    // Settlements are not what is killed: their events are there before the dispatchers begin.
    await Promise.all(claimed.map((job, words) => q.queue.finish(job, succeeded({ words }), measured())));
    let isDone = false;
    let kills = 0;
    const killing = (async () => {
      while (!isDone) {
        const { rowCount } = await q.superuser.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid() and query like '%app_events%' and random() < $1`,
          // One at least.
          [kills === 0 ? 1 : 0.1],
        );
        kills += rowCount ?? 0;
      }
    })();
    await dispatchers.drain(dispatchEvents);
    isDone = true;
    await killing;
    await dispatchers.drain(dispatchEvents);
    const { rows } = await q.superuser.query(
      `select payload, source, correlation_id from millrace.jobs where definition_id = $1`,
      [q.definitionId('beta')],
    );
    expect(kills).toBeGreaterThan(0);
    expect(rows).toHaveLength(400);
    expect(new Set(rows.map(({ payload }) => payload.from))).toEqual(new Set(ids));
    expect(
      rows.every(
        ({ source, payload, correlation_id }) => source === 'event' && correlation_id === payload.from,
      ),
    ).toBe(true);
  });

  test('that starts itself ends at its greatest depth, and the event says why', async () => {
    await makeTrigger({ pattern: 'job.succeeded', definition: 'alpha' });
    await enqueue();
    let runs = 0;
    for (; runs < 50; runs++) {
      const [claimed] = await q.claim(1);
      if (claimed === undefined) break;
      await q.queue.finish(claimed, succeeded(), measured());
      await dispatchers.drain(dispatchEvents);
    }
    expect(runs).toBe(MAX_CHAIN_DEPTH + 1);
    const { rows } = await q.superuser.query(
      `select outcome, reason from millrace.trigger_runs where tenant_id = $1 order by id desc limit 1`,
      [tenantId],
    );
    expect(rows[0]).toEqual({
      outcome: 'chain_too_deep',
      reason: '10 triggers in a row led to this event; allowed: 10. One of them may be starting itself.',
    });
  });

  test('is followed through the next jobs of a handler', async () => {
    await makeTrigger({ pattern: 'job.succeeded', watched: 'beta', definition: 'alpha' });
    await enqueue(1, { definitionKey: 'beta' });
    await run();
    await dispatchers.drain(dispatchEvents);
    const [claimed] = (await q.claim(1)) as [ClaimedJob];
    const next = [{ definition: 'beta', payload: {} }];
    await q.queue.finish(
      claimed,
      {
        kind: 'final',
        settlement: { status: 'succeeded', skippedReason: null, result: null, artifacts: [], next },
      },
      measured(),
    );
    await run();
    expect((await events()).map(({ chain_depth }) => chain_depth)).toEqual([0, 1]);
  });
});

test('a video or a clip that becomes ready or fails is an event where a trigger listens to it', async () => {
  await makeTrigger({ pattern: 'video.ready' });
  await makeTrigger({ pattern: 'clip.*' });
  const video = (
    await q.superuser.query(
      `insert into millrace.videos (tenant_id, title, status, original_key) values ($1, 'Film', 'processing', 'k') returning id`,
      [tenantId],
    )
  ).rows[0].id;
  const clip = (
    await q.superuser.query(
      `insert into millrace.clips (tenant_id, video_id, t_start_ms, t_end_ms, padding_ms) values ($1, $2, 0, 1000, 0) returning id`,
      [tenantId, video],
    )
  ).rows[0].id;
  for (const status of ['transcoded', 'failed', 'processing', 'ready', 'ready'])
    await q.superuser.query('update millrace.videos set status = $2 where id = $1', [video, status]);
  await q.superuser.query(
    `update millrace.clips set status = 'failed', error = '{"type": "E", "message": "m"}' where id = $1`,
    [clip],
  );
  await q.superuser.query(
    `update millrace.clips set status = 'ready', error = null, object_key = 'c', size_bytes = 1, sha256 = repeat('0', 64), start_ms = 0, end_ms = 1000, width_px = 2, height_px = 2 where id = $1`,
    [clip],
  );
  expect(await events()).toMatchObject([
    { name: 'video.ready', source_ref: video, data: { videoId: video, title: 'Film' } },
    { name: 'clip.failed', source_ref: clip, data: { clipId: clip, videoId: video, error: { type: 'E' } } },
    { name: 'clip.ready', source_ref: clip, data: { clipId: clip, videoId: video } },
  ]);
});
