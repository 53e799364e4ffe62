import { afterAll, beforeAll, expect, test } from 'vitest';
import { clipList } from '../../src/domains/clips/feed/clip-list.ts';
import { videoList } from '../../src/domains/videos/feed/video-list.ts';
import type { EntityFeedEvent } from '../../src/events/entity-list.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait.ts';
import { openStage, type Stage } from './stage.ts';

let database: TestDatabase;
let stage: Stage;

beforeAll(async () => {
  database = await createTestDatabase();
  stage = await openStage(database.url, { maxPending: 5 });
});
afterAll(async () => {
  await stage.close();
  await database.drop();
});

async function insertVideos(count: number, status = 'ready', tenantId = stage.tenantId): Promise<string[]> {
  const { rows } = await stage.superuser.query(
    `insert into millrace.videos (tenant_id, title, original_key, status, owner_id)
     select $1, 'v', 'k', $3, 'user:a' from generate_series(1, $2::integer) returning id`,
    [tenantId, count, status],
  );
  return rows.map(({ id }) => id);
}

test('a consumer that takes nothing for long gets the newest state of each video, what left and what was deleted, and no queue', async () => {
  const ids = await insertVideos(40);
  const stream = stage.feed.subscribeList(
    videoList.of(videoList.check({ tenantId: stage.tenantId, statuses: ['ready'] })),
  );
  const seen = new Map<string, EntityFeedEvent>();
  let last = '';
  const take = async (): Promise<string> => {
    const { value } = await stream.next();
    if (value === undefined) throw new Error('it ended');
    if (value.kind === 'in') seen.set(value.change.id, value);
    if (value.kind === 'left' || value.kind === 'removed') seen.set(value.id, value);
    last = value.cursor ?? last;
    return value.kind;
  };
  while ((await take()) !== 'ready') {}
  expect(seen.size).toBe(40);
  // Far more than may wait; in many transactions.
  for (let round = 0; round < 4; round++)
    for (const id of ids.slice(0, 30))
      await stage.superuser.query('update millrace.videos set title = $2 where id = $1', [id, `t${round}`]);
  await stage.superuser.query(`update millrace.videos set status = 'failed' where id = any ($1)`, [
    ids.slice(30, 35),
  ]);
  await stage.superuser.query('delete from millrace.videos where id = any ($1)', [ids.slice(35)]);
  const wanted = ids.map((_, nth) => (nth < 30 ? 'video 5' : nth < 35 ? 'left' : 'removed'));
  const shown = () =>
    ids.map((id) => {
      const event = seen.get(id);
      return event?.kind === 'in' ? `video ${event.change.version}` : event?.kind;
    });
  for (let taken = 0; JSON.stringify(shown()) !== JSON.stringify(wanted); taken++) {
    expect(taken).toBeLessThan(1_000);
    await take();
  }
  await stream.return();

  // And who comes back with that cursor has not missed anything.
  const [added = ''] = await insertVideos(1);
  const resumed = stage.feed.subscribeList(
    videoList.of(videoList.check({ tenantId: stage.tenantId, statuses: ['ready'] })),
    last,
  );
  const kinds: string[] = [];
  for (;;) {
    const { value } = await resumed.next();
    if (value === undefined || value.kind === 'checkpoint') break;
    kinds.push(value.kind === 'in' ? value.change.id : value.kind);
  }
  expect(kinds).toContain(added);
  await resumed.return();
  await waitFor(() => stage.feed.memberCount === 0, { describe: 'no member' });
});

test('a deletion leaves a trace that only its own tenant can read', async () => {
  const [id = ''] = await insertVideos(1, 'failed');
  const clip = await stage.superuser.query(
    `insert into millrace.clips (tenant_id, video_id, t_start_ms, t_end_ms, padding_ms, created_by)
     values ($1, $2, 0, 1, 0, 'user:a') returning id`,
    [stage.tenantId, id],
  );
  await stage.superuser.query('delete from millrace.clips where video_id = $1', [id]);
  await stage.superuser.query('delete from millrace.videos where id = $1', [id]);
  const traces = async (tenantId: string) => {
    await stage.superuser.query('begin');
    try {
      await stage.superuser.query(
        `select set_config('role', 'millrace_api', true), set_config('millrace.tenant_id', $1, true)`,
        [tenantId],
      );
      const { rows } = await stage.superuser.query(
        'select id, kind, video_id, created_by from millrace.media_tombstones where id = any ($1) order by kind',
        [[id, clip.rows[0].id]],
      );
      return rows;
    } finally {
      await stage.superuser.query('rollback');
    }
  };
  expect(await traces(stage.tenantId)).toEqual([
    { id: clip.rows[0].id, kind: 'clip', video_id: id, created_by: 'user:a' },
    { id, kind: 'video', video_id: null, created_by: 'user:a' },
  ]);
  expect(await traces(await stage.makeTenant())).toEqual([]);
});

test('what is read at the start and after a cut is read by index, and of a long history no more than asked for', async () => {
  const tenantId = await stage.makeTenant();
  const [videoId = ''] = await insertVideos(5_000, 'ready', tenantId);
  await stage.superuser.query(
    `insert into millrace.clips (tenant_id, video_id, t_start_ms, t_end_ms, padding_ms, status)
     select $1, $2, n, n + 1, 0, 'failed' from generate_series(1, 5000) n`,
    [tenantId, videoId],
  );
  await stage.superuser.query(
    `insert into millrace.media_tombstones (id, kind, tenant_id) select uuidv7(), 'video', $1 from generate_series(1, 5000)`,
    [tenantId],
  );
  await stage.superuser.query('analyze millrace.videos, millrace.clips, millrace.media_tombstones');
  const { rows } = await stage.superuser.query(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as xmax',
  );
  const range = `'${tenantId}', '${rows[0].xmax}', '{}', null, null, null, 2000, null, 50001`;
  for (const [{ text }, given] of [
    [videoList.statements.initial, `'${tenantId}', 101, null, null`],
    [clipList.statements.initial, `'${tenantId}', 101, null, null, null`],
    [clipList.statements.initial, `'${tenantId}', 101, null, null, '${videoId}'`],
    [videoList.statements.changed, range],
    [clipList.statements.changed, `${range}, null`],
  ] as const) {
    await stage.superuser.query('begin');
    try {
      await stage.superuser.query(
        `select set_config('role', 'millrace_api', true), set_config('millrace.tenant_id', $1, true),
                set_config('enable_seqscan', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)`,
        [tenantId],
      );
      await stage.superuser.query(`prepare asked as ${text}`);
      const answer = await stage.superuser.query(
        `explain (analyze, buffers, timing off, format json) execute asked (${given})`,
      );
      const { Plan: plan } = answer.rows[0]['QUERY PLAN'][0];
      expect(JSON.stringify(plan)).not.toContain('Seq Scan');
      expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], text).toBeLessThan(60);
    } finally {
      await stage.superuser.query('rollback');
      await stage.superuser.query('deallocate all');
    }
  }
});
