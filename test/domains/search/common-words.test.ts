import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestQueue, type TestQueue } from '../../support/queue.ts';
import { type SearchScene, searchScene } from './scene.ts';

/** Enough that a walk from the newest on gives up before it reaches the oldest. */
const VIDEOS = 130;
const LINES = 100;

let q: TestQueue;
let s: SearchScene;
let tenantId: string;
let newestFirst: string[];
let old: string;

beforeAll(async () => {
  // One connection, so that every search meets its own early plans again.
  q = await openTestQueue(undefined, 1);
  s = searchScene(q);
  tenantId = await q.makeTenant();
  old = await s.makeVideo(
    tenantId,
    Array.from({ length: 3100 }, (_, n) => `rareish ${n}`),
  );
  await s.makeVideo(tenantId, ['the first']);
  for (let i = 0; i < 8; i++) await s.search(tenantId, 'the first ');
  await q.superuser.query(
    `with v as (insert into millrace.videos (tenant_id, title, original_key, status)
                select $1, 'v', 'k', 'ready' from generate_series(1, ${VIDEOS}) returning id)
     insert into millrace.segments (tenant_id, video_id, frame_ms, t_start, t_end, text, normalized_text, text_hash, confidence, language, bounding_box)
     select $1, v.id, n, n, n, t.text, t.text, md5(t.text), 0.9, 'eng', '{}'
     from v, generate_series(1, ${LINES}) n,
       lateral (select case when n % 2 = 0 then 'the odd' else 'an even' end || ' line' || case when n = 7 then ' seven' else '' end
                       || ' w' || n) t (text)`,
    [tenantId],
  );
  await s.refresh(tenantId);
  const { rows } = await q.superuser.query(
    'select id from millrace.videos where tenant_id = $1 order by id desc',
    [tenantId],
  );
  newestFirst = rows.map(({ id }) => id).filter((id) => id !== old);
});
afterAll(() => q.close());

describe('words that are everywhere', () => {
  it('are not ranked: the newest videos come first, page by page, each counted whole', async () => {
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page = await s.search(tenantId, { query: 'the ', first: 50, after });
      expect(page).toMatchObject({ order: 'newest', videoCount: null, hitCount: null });
      for (const { hitCount } of page.videos.slice(0, 20))
        expect(hitCount === LINES / 2 || hitCount === 1).toBe(true);
      seen.push(...page.videos.map(({ videoId }) => videoId));
      after = page.hasNextPage ? (page.videos.at(-1)?.cursor ?? null) : null;
    } while (after !== null);
    expect(seen).toEqual(newestFirst);
  });

  it('are ranked once a rare word, a filter or each other make them few', async () => {
    expect(await s.search(tenantId, 'the seven ')).toMatchObject({ order: 'relevance', hitCount: 0 });
    expect(await s.search(tenantId, 'seven line ')).toMatchObject({ order: 'relevance', hitCount: VIDEOS });
    // Both are in every other line, and never in the same one.
    expect(await s.search(tenantId, 'odd even ')).toMatchObject({ order: 'relevance', hitCount: 0 });
    expect((await s.search(tenantId, 'the line ')).order).toBe('newest');
  });

  it('are counted as far as was looked', async () => {
    const facets = await s.facets(tenantId, { query: 'the ' });
    expect(facets.isComplete).toBe(false);
    expect(facets.languages[0]?.value).toBe('eng');
  });

  it('find the one old video that has a word of many lines, past all newer ones', async () => {
    const page = await s.search(tenantId, 'rareish');
    expect(page.videos).toMatchObject([{ videoId: old, hitCount: 3100 }]);
    expect(page).toMatchObject({ order: 'newest', hasNextPage: false });
  });

  it('never make it read a table whole, whatever it was planned on', async () => {
    await q.superuser.query(
      'analyze millrace.search_materialized, millrace.search_words, millrace.search_videos',
    );
    const scans = async () => {
      const { rows } = await q.superuser.query(
        `select pg_stat_force_next_flush(), (select sum(seq_scan)::int from pg_stat_user_tables
           where relname in ('search_materialized', 'search_words', 'search_videos', 'segments', 'entities', 'videos')) as n`,
      );
      return rows[0].n as number;
    };
    await s.as(tenantId, 'select pg_stat_force_next_flush()');
    const before = await scans();
    for (const query of ['the ', 'seven ', '"the odd"', 'lin', 'w*', 'sevem ', 'the -odd', 'odd even ', ''])
      await s.search(tenantId, {
        query,
        filter: { languages: ['eng'], price: query === '' ? { max: 5 } : null },
      });
    await s.as(tenantId, 'select pg_stat_force_next_flush()');
    expect((await scans()) - before).toBe(0);
  });
});
