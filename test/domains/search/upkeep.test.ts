import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestQueue, type TestQueue } from '../../support/queue.ts';
import { type SearchScene, searchScene } from './scene.ts';

let q: TestQueue;
let s: SearchScene;
beforeAll(async () => {
  q = await openTestQueue(undefined, 12);
  s = searchScene(q);
});
afterAll(() => q.close());

/** What the search holds of a tenant, row for row. */
async function state(tenantId: string) {
  const of = async (sql: string) => (await q.superuser.query(sql, [tenantId])).rows;
  return {
    rows: await of('select * from millrace.search_materialized where tenant_id = $1 order by segment_id'),
    videos: await of('select * from millrace.search_videos where tenant_id = $1 order by video_id'),
    words: await of(
      `select word, sum(segment_count)::int as n, min(typo_keys) as keys from millrace.search_words where tenant_id = $1
       group by word having sum(segment_count) <> 0 order by word`,
    ),
  };
}

/** The same made from nothing, by the same function: everything is forgotten first. */
async function rebuilt(tenantId: string) {
  for (const table of ['search_materialized', 'search_videos', 'search_words', 'search_pending'])
    await q.superuser.query(`delete from millrace.${table} where tenant_id = $1`, [tenantId]);
  await q.superuser.query('select millrace.reindex_search($1)', [tenantId]);
  await s.refresh(tenantId);
  return state(tenantId);
}

describe('the search of a video', () => {
  it('is the same after any changes as if it had been made from nothing', async () => {
    const text = fc.array(fc.constantFrom('alpha', 'beta', 'gamma', '@jane', '#tag', 'delta'), {
      minLength: 1,
      maxLength: 4,
    });
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('insert' as const),
        lines: fc.array(text, { minLength: 1, maxLength: 4 }),
      }),
      fc.record({ kind: fc.constant('change' as const), words: text }),
      fc.record({ kind: fc.constant('delete' as const) }),
      fc.record({ kind: fc.constant('entity' as const) }),
      fc.record({ kind: fc.constant('refresh' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const tenantId = await q.makeTenant(`t-${crypto.randomUUID()}`);
        const videoId = await s.makeVideo(tenantId, ['alpha beta']);
        const some =
          'id in (select id from millrace.segments where tenant_id = $1 order by md5(id::text) limit 2)';
        for (const it of steps) {
          if (it.kind === 'insert')
            await s.insert(
              tenantId,
              videoId,
              it.lines.map((words) => words.join(' ')),
            );
          else if (it.kind === 'change')
            await s.as(tenantId, `update millrace.segments set text = $2, t_end = t_end + 1 where ${some}`, [
              tenantId,
              it.words.join(' '),
            ]);
          else if (it.kind === 'delete')
            await s.as(tenantId, `delete from millrace.segments where ${some}`, [tenantId]);
          else if (it.kind === 'entity')
            await s.as(
              tenantId,
              `insert into millrace.entities (tenant_id, video_id, segment_id, entity_type, value, normalized_value)
               select tenant_id, video_id, id, 'mention', '@ann', 'ann' from millrace.segments where ${some}`,
              [tenantId],
            );
          else await s.refresh(tenantId, videoId);
        }
        await s.refresh(tenantId, videoId);
        const kept = await state(tenantId);
        await s.refresh(tenantId);
        expect(await state(tenantId)).toEqual(kept);
        expect(await rebuilt(tenantId)).toEqual(kept);
      }),
      { numRuns: 12 },
    );
  });

  it('begins with what is read first, goes on under the same ids, and ends with what is deleted', async () => {
    const tenantId = await q.makeTenant();
    const videoId = await s.makeVideo(tenantId, ['first batch']);
    const [found] = (await s.search(tenantId, 'batch')).videos;
    const [added] = await s.insert(tenantId, videoId, [{ text: 'second batch', tStart: 9000 }]);
    expect((await s.search(tenantId, 'second')).videos).toEqual([]);
    await s.refresh(tenantId, videoId);
    expect((await s.search(tenantId, 'second')).videos[0]?.hits[0]?.segmentId).toBe(added);
    // As segment_index leaves them: merged, under the id of the first.
    await s.as(tenantId, `update millrace.segments set indexed_at = now(), t_end = 9500 where id = $1`, [
      found?.hits[0]?.segmentId,
    ]);
    await s.refresh(tenantId, videoId);
    expect(
      (await s.search(tenantId, { query: 'first', filter: { startMs: 9400 } })).videos[0]?.hits,
    ).toMatchObject([{ segmentId: found?.hits[0]?.segmentId }]);
    await s.as(tenantId, 'delete from millrace.segments where video_id = $1', [videoId]);
    expect((await s.search(tenantId, 'batch')).videos).toEqual([]);
    // Of a video without texts its title is left, and of a deleted one nothing.
    expect(await state(tenantId)).toMatchObject({
      rows: [{ segment_id: videoId, t_start: '-1' }],
      videos: [{ segment_count: 1 }],
      words: [
        { word: '', n: 1 },
        { word: 'title:', n: 1 },
        { word: 'v', n: 1 },
      ],
    });
    await q.superuser.query('delete from millrace.videos where id = $1', [videoId]);
    expect(await state(tenantId)).toEqual({ rows: [], videos: [], words: [] });
  });

  it('takes many videos of one tenant at once: nobody waits for a common word, nothing is lost', async () => {
    const tenantId = await q.makeTenant();
    const videos = await Promise.all(Array.from({ length: 24 }, () => s.makeVideo(tenantId, ['zero'])));
    const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta'];
    const batch = async (videoId: string, turn: number) => {
      const line = words
        .toSorted(() => Math.random() - 0.5)
        .slice(0, 5)
        .join(' ');
      await s.insert(tenantId, videoId, [`${line} own${turn}`, `${line} common`]);
      await s.refresh(tenantId, videoId);
    };
    await Promise.all(
      videos.map(async (videoId) => {
        for (let turn = 0; turn < 4; turn++) await batch(videoId, turn);
      }),
    );
    const kept = await state(tenantId);
    expect(kept.words.find(({ word }) => word === 'common')).toMatchObject({ n: 96 });
    expect(kept.words.find(({ word }) => word === '')).toMatchObject({ n: 24 * (9 + 1) });
    expect(await rebuilt(tenantId)).toEqual(kept);
    // One that holds common words open makes nobody wait.
    const open = await q.db.transaction({ role: 'api', tenantId }, async (tx) => {
      await tx.client.query(
        `update millrace.segments set text = 'changed' where tenant_id = $1 and video_id = $2`,
        [tenantId, videos[0]],
      );
      await tx.client.query('select millrace.refresh_search_materialized($1)', [videos[0]]);
      await q.superuser.query(`set lock_timeout = '100s'`);
      await batch(videos[1] as string, 9);
      return true;
    });
    expect(open).toBe(true);
    const after = await state(tenantId);
    expect(await rebuilt(tenantId)).toEqual(after);
  });

  it('refuses a transaction that names no tenant', async () => {
    await expect(
      q.db.transaction({ role: 'worker' }, (tx) =>
        tx.client.query('select millrace.refresh_search_materialized()'),
      ),
    ).rejects.toMatchObject({ code: '22023' });
  });
});

describe('pages of a search', () => {
  let tenantId: string;
  const videoIds: string[] = [];
  beforeAll(async () => {
    tenantId = await q.makeTenant();
    for (let i = 0; i < 23; i++)
      videoIds.push(
        await s.makeVideo(
          tenantId,
          Array.from({ length: 1 + (i % 4) }, (_, n) => ({
            text: `needle ${n}`,
            confidence: 0.6 + (i % 5) / 10,
          })),
        ),
      );
  });

  async function walk(args: object, size: number) {
    const seen: string[] = [];
    const orders = new Set<string>();
    let after: string | null = null;
    for (;;) {
      const page = await s.search(tenantId, { ...args, first: size, after });
      seen.push(...page.videos.map(({ videoId }) => videoId));
      orders.add(page.order);
      if (!page.hasNextPage) return { seen, orders: [...orders] };
      after = page.videos.at(-1)?.cursor ?? null;
    }
  }

  it.each([1, 4, 23, 50])('of %i show every video once, the best first', async (size) => {
    const { seen, orders } = await walk({ query: 'needle' }, size);
    expect(orders).toEqual(['relevance']);
    expect(seen.toSorted()).toEqual(videoIds.toSorted());
    expect(seen).toEqual((await walk({ query: 'needle' }, 100)).seen);
  });

  it('of all there is show the newest first', async () => {
    const { seen, orders } = await walk({}, 5);
    expect(orders).toEqual(['newest']);
    expect(seen).toEqual(videoIds.toSorted().toReversed());
  });
});
