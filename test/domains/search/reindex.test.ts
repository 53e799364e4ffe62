import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { migrate } from '../../../src/db/migrate/migrate.ts';
import { searchDuty } from '../../../src/domains/search/duties/search-backlog.ts';
import { openDatabase } from '../../support/queue.ts';

/** What the search holds, row for row, without the rows' own numbers. */
const STATE = `select
  (select jsonb_agg(to_jsonb(m) order by m.segment_id) from millrace.search_materialized m) as rows,
  (select jsonb_agg(to_jsonb(v) order by v.video_id) from millrace.search_videos v) as videos,
  (select jsonb_agg(jsonb_build_array(w.word, w.n, w.shape, w.keys) order by w.word) from (
     select word, sum(segment_count) as n, min(shape) as shape, min(typo_keys) as keys from millrace.search_words
     group by word having sum(segment_count) <> 0) w) as words`;

test('texts whose index was lost are, after reindex_search and a turn of the leader, indexed as they were', async () => {
  const name = `reindex_${randomBytes(5).toString('hex')}`;
  const server = new pg.Client({ connectionString: inject('testServerUrl') });
  await server.connect();
  await server.query(`create database ${name}`);
  const url = Object.assign(new URL(inject('testServerUrl')), { pathname: `/${name}` }).href;
  const client = new pg.Client({ connectionString: url });
  const database = openDatabase(url, 2);
  onTestFinished(async () => {
    await client.end();
    await database.close();
    await server.query(`drop database ${name} with (force)`);
    await server.end();
  });

  await migrate({ connectionString: url });
  await client.connect();
  const { rows: tenants } = await client.query(
    `insert into millrace.tenants (slug, name) values ('one', 'One'), ('two', 'Two') returning id`,
  );
  for (const { id } of tenants) {
    await client.query(
      `with v as (insert into millrace.videos (tenant_id, title, original_key, status)
                  select $1, 'Title — no ' || n, 'k', 'ready' from generate_series(1, 7) n returning id)
       insert into millrace.segments (tenant_id, video_id, frame_ms, t_start, t_end, text, normalized_text, text_hash, confidence, language, bounding_box)
       select $1, v.id, n, n, n + 5, t.text, t.text, md5(t.text), 0.9, 'eng', '{}'
       from v, unnest(array['plain words here', 'Anna · 2 h', '|vanov at 29', 'encyclopædia', 'plain quick 2026', 'a — b']) with ordinality as t (text, n)`,
      [id],
    );
    await client.query(
      `begin; select set_config('millrace.tenant_id', '${id}', true), millrace.refresh_search_materialized(); commit`,
    );
  }

  const kept = (await client.query(STATE)).rows;
  for (const table of ['search_materialized', 'search_videos', 'search_words'])
    await client.query(`delete from millrace.${table}`);
  for (const { id } of tenants) await client.query('select millrace.reindex_search($1)', [id]);
  const pending = await client.query('select count(*)::int as n from millrace.search_pending');
  // Every text and each title.
  expect(pending.rows).toEqual([{ n: 2 * 7 * (6 + 1) }]);
  const pause = async () => {};
  const counts = await searchDuty(database).run({ goOn: () => true, upSeconds: 1000, pause });
  expect(counts).toEqual({ videos: 14 });
  expect((await client.query('select from millrace.search_pending')).rows).toEqual([]);
  expect((await client.query(STATE)).rows).toEqual(kept);
});
