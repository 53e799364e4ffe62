import type { Stage } from './stage.ts';

/** Lines of a video, as many of them as a screen recording of some minutes shows. */
const LINES_A_VIDEO = 100;
const VOCABULARY = 200_000;
const VIDEOS_A_BATCH = 500;

const MAKE_VOCABULARY = `
create unlogged table bench_words as
select n, (select string_agg(substr('bcdfghklmnprstvwzjxq', 1 + get_byte(h, 2 * i) % 20, 1) || substr('aeiou', 1 + get_byte(h, 2 * i + 1) % 5, 1), '' order by i)
           from generate_series(0, case when n <= 60 then 1 when n <= 2000 then 1 + n % 2 else 2 + n % 3 end) i) as word
from (select n, decode(md5(n::text), 'hex') as h from generate_series(1, ${VOCABULARY}) n) x;
create unique index on bench_words (n);
analyze bench_words`;

/**
 * Six words a line by Zipf's law, 2 % of them misread in one letter; a handle, a hashtag or a price in some.
 */
const INSERT_VIDEOS = `
with video as (
  insert into millrace.videos (tenant_id, title, original_key, status)
  select $1, 'bench', 'bench', 'ready' from generate_series(1, $2::integer) returning id
), read as materialized (
  select video.id as video_id, line, place, floor(exp(random() * ln(${VOCABULARY})))::integer as n, random() as luck, random() as spot
  from video, generate_series(1, ${LINES_A_VIDEO}) line, generate_series(1, 6) place
), text as (
  select video_id, line,
         string_agg(case when luck < 0.02 then overlay(word placing substr('aeioumnrst', 1 + floor(spot * 10)::integer, 1)
                                                       from 1 + floor(spot * length(word))::integer) else word end, ' ' order by place)
         || case line % 10 when 0 then ' @user' || floor(exp(random() * ln(5000)))::integer
                           when 1 then ' #tag' || floor(exp(random() * ln(5000)))::integer else '' end as text
  from read join bench_words w on w.n = read.n group by video_id, line
), written as (
  insert into millrace.segments (tenant_id, video_id, frame_ms, t_start, t_end, text, normalized_text, text_hash, confidence, language, bounding_box)
  select $1, video_id, line * 1000, line * 1000, line * 1000 + 500 + (random() * 5000)::integer, text, text, md5(text), 0.6 + 0.4 * random(),
         case when random() < 0.9 then 'eng' else 'deu' end, '{"x": 1, "y": 2, "width": 300, "height": 20}'
  from text returning id, video_id, t_start
), priced as (
  insert into millrace.entities (tenant_id, video_id, segment_id, entity_type, subtype, value, normalized_value, amount, currency)
  select $1, video_id, id, 'number', 'price', 'x', 'x', round(exp(random() * 8)::numeric, 2), 'USD' from written where t_start % 20000 = 5000
)
select id, video_id from written`;

/** Videos of an archive, with words that follow Zipf's law. */
export interface SearchArchive {
  /**
   * Adds videos the short way, to what `refresh_search_materialized` would have made of them: vectors first,
   * then all words counted once.
   */
  fill(videoCount: number): Promise<void>;
  /** Adds one video as a worker does, and gives the milliseconds that this took. */
  addOne(): Promise<number>;
}

export async function openSearchArchive({ client, tenantId }: Stage): Promise<SearchArchive> {
  await client.query(MAKE_VOCABULARY);
  return {
    fill: async (videoCount) => {
      await client.query('set session_replication_role = replica');
      await client.query(
        'drop index millrace.search_materialized_tsv_idx, millrace.search_words_typo_idx, millrace.search_words_word_idx',
      );
      for (let done = 0; done < videoCount; done += VIDEOS_A_BATCH) {
        const { rows } = await client.query<{ id: string }>(INSERT_VIDEOS, [
          tenantId,
          Math.min(VIDEOS_A_BATCH, videoCount - done),
        ]);
        await client.query(
          `insert into millrace.search_materialized (segment_id, tenant_id, video_id, t_start, t_end, confidence, language, tsv)
           select segment_id, $1, video_id, t_start, t_end, confidence, language, tsv from millrace.search_vectors($1, $2)`,
          [tenantId, rows.map(({ id }) => id)],
        );
      }
      await client.query('truncate millrace.search_words, millrace.search_videos');
      await client.query(
        `insert into millrace.search_videos select tenant_id, video_id, count(*) from millrace.search_materialized group by 1, 2`,
      );
      await client.query(
        `insert into millrace.search_words (tenant_id, word, segment_count, typo_keys, shape)
         select $1::uuid, w.word, w.ndoc, millrace.search_typo_keys($1::uuid, w.word), millrace.search_shape(w.word)
         from (select substr(word, 7) as word, ndoc from ts_stat('select tsv from millrace.search_materialized')
               union all select '', (select count(*) from millrace.search_materialized)) w`,
        [tenantId],
      );
      await client.query('create index search_words_word_idx on millrace.search_words (tenant_id, word)');
      await client.query(
        'create index search_words_typo_idx on millrace.search_words using gin (typo_keys) with (fastupdate = off)',
      );
      await client.query(
        'create index search_materialized_tsv_idx on millrace.search_materialized using gin (tsv) with (fastupdate = off)',
      );
      await client.query('set session_replication_role = origin');
      await client.query(
        'vacuum analyze millrace.search_materialized, millrace.search_words, millrace.search_videos, millrace.segments, millrace.entities',
      );
    },
    addOne: async () => {
      await client.query(`select set_config('millrace.tenant_id', $1, false)`, [tenantId]);
      const { rows } = await client.query<{ video_id: string }>(INSERT_VIDEOS, [tenantId, 1]);
      const beganMs = performance.now();
      await client.query('select millrace.refresh_search_materialized($1)', [rows[0]?.video_id]);
      return performance.now() - beganMs;
    },
  };
}
