-- Search over what was read in the pictures of a tenant's videos. Every segment has one row with a text vector, and the vector's one
-- GIN index answers words, phrases and entities alike. A vocabulary beside it knows how often each word occurs and which words look
-- alike, so that a query asks the index for whole words only: a mistyped word becomes the words one letter away.
-- Nothing here needs an extension: those that managed servers lack or keep elsewhere are no concern of ours.

do $$
begin
  if getdatabaseencoding() <> 'UTF8' then
    raise exception 'Search needs a database whose encoding is UTF8; this one''s is %', getdatabaseencoding();
  end if;
end $$;

-- Tables -------------------------------------------------------------------------------------------------------------

-- One row a segment, written by refresh_search_materialized(). It comes and goes with its segment, by the triggers below, and so
-- does all that follows here: the references are the segments' alone.
create table millrace.search_materialized (
  segment_id  uuid primary key,
  tenant_id   uuid not null,
  video_id    uuid not null,
  t_start     bigint not null,
  t_end       bigint not null,
  confidence  real not null,
  language    text not null,
  -- Words by their place in the line, and without a place what was recognised: `@name`, `#tag`, `site:example.com`, `lang:eng`,
  -- `price:EUR:23`. Each begins with the tenant's mark, so that no tenant's common words lengthen another's search.
  tsv         tsvector not null
);
-- Newest videos first, each as a stretch of its own.
create index search_materialized_video_idx on millrace.search_materialized (tenant_id, video_id, t_start, segment_id);
-- Without a list of pending entries: a search would read all of it, however rare its words.
create index search_materialized_tsv_idx on millrace.search_materialized using gin (tsv) with (fastupdate = off);

-- Segments that have changed since they were last written into search_materialized.
create table millrace.search_pending (
  tenant_id   uuid not null,
  video_id    uuid not null,
  segment_id  uuid not null,
  primary key (tenant_id, video_id, segment_id)
);

-- How many segments of a video are searched: what a look through it costs.
create table millrace.search_videos (
  tenant_id      uuid not null,
  video_id       uuid not null,
  segment_count  integer not null,
  primary key (tenant_id, video_id)
);

-- How many segments of a tenant have a word; the empty word: how many there are. Several rows of one word add up: who finds them
-- all held by others writes one of their own, so that nobody ever waits for a common word.
create table millrace.search_words (
  id             bigint primary key generated always as identity,
  tenant_id      uuid not null,
  word           text collate "C" not null,
  segment_count  integer not null,
  -- What it has in common with the words one letter away, and with those that a reader of pictures takes for it.
  typo_keys      bigint[] not null
) with (fillfactor = 80);
create index search_words_word_idx on millrace.search_words (tenant_id, word);
create index search_words_typo_idx on millrace.search_words using gin (typo_keys) with (fastupdate = off);

-- Words --------------------------------------------------------------------------------------------------------------

-- Text as words are compared: lower case, without accents and without the forms that only print differently. The same on every
-- server, whatever its locale.
create function millrace.search_fold(p_text text) returns text
language sql immutable parallel safe
return case
  when p_text collate "C" ~ '^[\x01-\x7f]*$' then lower(p_text collate "C") collate "pg_c_utf8"
  else replace(translate(normalize(regexp_replace(normalize(lower(p_text collate "pg_c_utf8"), NFKD),
         '[\u0300-\u036f]', '', 'g'), NFC), 'øłđħı', 'oldhi'), 'ß', 'ss')
end;

-- The words of a text and the place of each, counted in what spaces part. What is written together without a space (addresses,
-- numbers, dashes) gives several words at one place; of scripts that part no words every sign is one. `@name` and `#tag` are also
-- words as a whole.
create function millrace.search_tokens(p_text text) returns table (word text, place integer)
language sql immutable parallel safe
begin atomic
  select left(m.found[1], 64), least(w.place, 16000)::integer
  from string_to_table(regexp_replace(millrace.search_fold(p_text), '\s+', ' ', 'g'), ' ') with ordinality as w (piece, place)
  cross join lateral regexp_matches(w.piece collate "pg_c_utf8",
    '[\u2600-\u27bf\U0001f000-\U0001faff]|[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]|[^[:space:][:punct:][:cntrl:]\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\ufe00-\ufe0f\u200b-\u200f]+',
    'g') as m (found)
  union all
  select left(m.found[1], 64), least(w.place, 16000)::integer
  from string_to_table(regexp_replace(millrace.search_fold(p_text), '\s+', ' ', 'g'), ' ') with ordinality as w (piece, place)
  cross join lateral regexp_matches(w.piece collate "pg_c_utf8", '(?:^|[^[:alnum:]_@#])([@#][[:alnum:]_]+(?:[.-][[:alnum:]_]+)*)', 'g')
    as m (found)
  where strpos(w.piece, '@') > 0 or strpos(w.piece, '#') > 0;
end;

-- What every word of a tenant begins with in text vectors. Two tenants may share one: it is no fence, only a shelf.
create function millrace.search_mark(p_tenant_id uuid) returns text
language sql immutable parallel safe
return left(md5(p_tenant_id::text), 6);

-- A word as it is written in text of a tsvector or a tsquery.
create function millrace.search_lexeme(p_mark text, p_word text) returns text
language sql immutable parallel safe
return '''' || p_mark || replace(replace(p_word, '\', '\\'), '''', '''''') || '''';

-- A word with the letters made alike that a reader of pictures takes for each other: 0 and o, 1, i and l, 5 and s, 8 and b.
create function millrace.search_shape(p_word text) returns text
language sql immutable parallel safe
return translate(p_word, '01i58', 'ollsb');

-- The same for pairs: rn is m, vv is w.
create function millrace.search_pair_shape(p_word text) returns text
language sql immutable parallel safe
return replace(replace(millrace.search_shape(p_word), 'rn', 'm'), 'vv', 'w');

-- Two words are at most one letter apart (one wrong, one missing, one too many, two swapped), or look alike, exactly when they share a
-- key: their shapes, whole and with any one letter left out. (A letter that moved further passes too.) Short words have their shape
-- alone, as do those with a number in them, which another number is no typing error of.
create function millrace.search_typo_keys(p_tenant_id uuid, p_word text) returns bigint[]
language sql immutable parallel safe
begin atomic
  select coalesce(array_agg(distinct hashtextextended(k.key, hashtextextended(p_tenant_id::text, 0))), '{}')
  from (
    select left(millrace.search_shape(p_word), 20) as shape
    union
    select left(millrace.search_pair_shape(p_word), 20)
  ) s
  cross join lateral (
    select s.shape as key
    union all
    select left(s.shape, i - 1) || substr(s.shape, i + 1) from generate_series(1, length(s.shape)) i
    where length(s.shape) >= 4 and p_word !~ '[0-9]{2}'
  ) k
  where p_word ~ '^[^@#:]{2,}$';
end;

-- Prices are found by shelves about a fifth wide; what stands on them is compared exactly.
create function millrace.search_price_shelf(p_amount numeric) returns integer
language sql immutable parallel safe
return floor(ln(least(greatest(p_amount, 0.01), 1000000000)) * 5)::integer;

-- What a video's texts have to do with entities, as words without a place.
create function millrace.search_entity_words(p_type text, p_subtype text, p_value text, p_domain text, p_amount numeric, p_currency text)
returns setof text
language sql immutable parallel safe
begin atomic
  select case p_type when 'mention' then '@' else '#' end || left(ltrim(millrace.search_fold(p_value), '@#'), 64)
  where p_type in ('mention', 'hashtag')
  union all
  -- The host, and what is above it down to the domain: example.com finds shop.example.com, too.
  select 'site:' || left(array_to_string(h.labels[n:], '.'), 100)
  from (select string_to_array(substring(p_value from '^[^/?#:]+'), '.') as labels) h,
       generate_series(1, cardinality(h.labels) - cardinality(string_to_array(p_domain, '.'))) n
  where p_type = 'url' and p_domain is not null
  union all
  select 'site:' || left(lower(p_domain), 100) where p_type = 'url' and p_domain is not null
  union all
  select 'price:' || c.currency || ':' || millrace.search_price_shelf(p_amount)
  from (values (''), (upper(p_currency))) c (currency)
  where p_type = 'number' and p_subtype = 'price' and p_amount is not null and c.currency is not null;
end;

-- Keeping it up to date --------------------------------------------------------------------------------------------------

-- Adds up words of one tenant. Waits for nobody: a word that another transaction holds gets a row of its own.
create function millrace.count_search_words(p_tenant_id uuid, p_words text[], p_counts integer[]) returns void
language sql volatile set enable_seqscan = off
begin atomic
  with change as materialized (
    select c.word, sum(c.n)::integer as n
    from unnest(p_words, p_counts) as c (word, n)
    group by c.word having sum(c.n) <> 0
  ), held as materialized (
    select c.word, h.id, h.segment_count + c.n as segment_count
    from change c
    cross join lateral (
      select w.id, w.segment_count from millrace.search_words w
      where w.tenant_id = p_tenant_id and w.word = c.word
      limit 1 for update skip locked
    ) h
  ), changed as (
    update millrace.search_words w set segment_count = held.segment_count
    from held where w.id = held.id and held.segment_count <> 0
  ), emptied as (
    delete from millrace.search_words w using held where w.id = held.id and held.segment_count = 0
  )
  insert into millrace.search_words (tenant_id, word, segment_count, typo_keys)
  select p_tenant_id, c.word, c.n, millrace.search_typo_keys(p_tenant_id, c.word)
  from change c
  where not exists (select from held where held.word = c.word);
end;

create function millrace.count_search_videos(p_tenant_id uuid, p_videos uuid[]) returns void
language sql volatile
begin atomic
  insert into millrace.search_videos as v (tenant_id, video_id, segment_count)
  select p_tenant_id, c.video_id, count(*) from unnest(p_videos) as c (video_id) group by c.video_id order by c.video_id
  on conflict (tenant_id, video_id) do update set segment_count = v.segment_count + excluded.segment_count;
end;

-- Segments of one tenant as they are searched.
create function millrace.search_vectors(p_tenant_id uuid, p_segment_ids uuid[])
returns table (segment_id uuid, video_id uuid, t_start bigint, t_end bigint, confidence real, language text, tsv tsvector)
language sql stable set enable_seqscan = off
begin atomic
  with source as materialized (
    select s.id, s.video_id, s.t_start, s.t_end, s.confidence, s.language, s.text
    from millrace.segments s
    where s.id = any (p_segment_ids) and s.tenant_id = p_tenant_id
  ), found as (
    -- A text vector has an end, and a line of a picture none of that length.
    select s.id, t.word, t.place from source s cross join lateral millrace.search_tokens(left(s.text, 20000)) t
    union all
    select s.id, 'lang:' || lower(s.language), null from source s
    union all
    select e.segment_id, w.word, null
    from millrace.entities e
    cross join lateral millrace.search_entity_words(e.entity_type, e.subtype, e.normalized_value, e.domain, e.amount, e.currency) as w (word)
    where e.segment_id = any (p_segment_ids) and e.tenant_id = p_tenant_id
  ), vector as (
    select f.id, string_agg(millrace.search_lexeme(millrace.search_mark(p_tenant_id), f.word) || coalesce(':' || f.place, ''), ' ')::tsvector as tsv
    from found f group by f.id
  )
  select s.id, s.video_id, s.t_start, s.t_end, s.confidence, s.language, v.tsv
  from source s join vector v on v.id = s.id
  order by s.video_id, s.t_start, s.id;
end;

-- Writes segments of one tenant anew; those whose row is the same already are left alone.
create function millrace.search_segments(p_tenant_id uuid, p_segment_ids uuid[]) returns void
language plpgsql volatile set search_path = '' as $$
declare
  v_words   text[];
  v_counts  integer[];
  v_videos  uuid[];
begin
  with written as (
    insert into millrace.search_materialized as m (segment_id, tenant_id, video_id, t_start, t_end, confidence, language, tsv)
    select v.segment_id, p_tenant_id, v.video_id, v.t_start, v.t_end, v.confidence, v.language, v.tsv
    from millrace.search_vectors(p_tenant_id, p_segment_ids) v
    on conflict (segment_id) do update
      set t_start = excluded.t_start, t_end = excluded.t_end, confidence = excluded.confidence, language = excluded.language, tsv = excluded.tsv
      where (m.t_start, m.t_end, m.confidence, m.language, m.tsv)
        is distinct from (excluded.t_start, excluded.t_end, excluded.confidence, excluded.language, excluded.tsv)
    returning new.video_id, old.tsv as old_tsv, new.tsv as new_tsv
  ), change as (
    select substr(lexeme, 7) as word, 1 as n from written cross join lateral unnest(tsvector_to_array(new_tsv)) as lexeme
    union all
    select substr(lexeme, 7), -1 from written cross join lateral unnest(tsvector_to_array(old_tsv)) as lexeme
    union all
    select '', 1 from written where old_tsv is null
  ), counted as (
    select word, sum(n)::integer as n from change group by word
  )
  select array_agg(word), array_agg(n), (select array_agg(video_id) from written where old_tsv is null)
  into v_words, v_counts, v_videos
  from counted;
  perform millrace.count_search_videos(p_tenant_id, v_videos);
  perform millrace.count_search_words(p_tenant_id, v_words, v_counts);
end $$;

-- Makes what has changed searchable: of one video, or of all of the transaction's tenant. Costs by what has changed, not by what is
-- there; nothing has changed: nothing is done.
create or replace function millrace.refresh_search_materialized(p_video_id uuid default null) returns void
language plpgsql volatile security definer set search_path = '' set enable_seqscan = off as $$
declare
  v_tenant  uuid := millrace.current_tenant_id();
  v_ids     uuid[];
begin
  if v_tenant is null then
    raise exception 'The transaction names no tenant whose search is to be refreshed'
      using errcode = 'invalid_parameter_value', hint = 'Set millrace.tenant_id in the transaction.';
  end if;
  loop
    select array_agg(p.segment_id) into v_ids
    from (
      select q.segment_id from millrace.search_pending q
      where q.tenant_id = v_tenant and (p_video_id is null or q.video_id = p_video_id)
      order by q.tenant_id, q.video_id, q.segment_id
      limit 5000 for update
    ) p;
    exit when v_ids is null;
    perform millrace.search_segments(v_tenant, v_ids);
    delete from millrace.search_pending q
    where q.tenant_id = v_tenant and (p_video_id is null or q.video_id = p_video_id) and q.segment_id = any (v_ids);
  end loop;
end $$;

-- Marks what a statement wrote, whoever it was. It becomes searchable with the next refresh.
create function millrace.mark_search_segments() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off as $$
begin
  insert into millrace.search_pending (tenant_id, video_id, segment_id)
  select c.tenant_id, c.video_id, c.id from changed c order by c.tenant_id, c.video_id, c.id
  on conflict do nothing;
  return null;
end $$;

create function millrace.mark_search_entities() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off as $$
begin
  insert into millrace.search_pending (tenant_id, video_id, segment_id)
  select distinct s.tenant_id, s.video_id, s.id from changed c join millrace.segments s on s.id = c.segment_id
  order by 1, 2, 3
  on conflict do nothing;
  return null;
end $$;

-- In place of a foreign key, which would go row by row: what was deleted is found no more at once, and its words are counted off.
create function millrace.forget_search_segments() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off as $$
declare
  v_tenant  uuid;
  v_words   text[];
  v_counts  integer[];
begin
  delete from millrace.search_pending p using changed c
  where p.tenant_id = c.tenant_id and p.video_id = c.video_id and p.segment_id = c.id;
  for v_tenant in select distinct c.tenant_id from changed c loop
    with gone as (
      delete from millrace.search_materialized m using changed c
      where m.segment_id = c.id and c.tenant_id = v_tenant
      returning m.video_id, m.tsv
    ), less as (
      select video_id, count(*) as n from gone group by video_id
    ), counted as (
      update millrace.search_videos v set segment_count = v.segment_count - less.n
      from less where v.tenant_id = v_tenant and v.video_id = less.video_id and v.segment_count <> less.n
    ), emptied as (
      delete from millrace.search_videos v using less
      where v.tenant_id = v_tenant and v.video_id = less.video_id and v.segment_count = less.n
    ), word as (
      select substr(lexeme, 7) as word, -count(*)::integer as n from gone cross join lateral unnest(tsvector_to_array(tsv)) as lexeme group by 1
      union all
      select '', -count(*)::integer from gone
    )
    select array_agg(w.word), array_agg(w.n) into v_words, v_counts from word w;
    perform millrace.count_search_words(v_tenant, v_words, v_counts);
  end loop;
  return null;
end $$;

create trigger segments_search_insert after insert on millrace.segments referencing new table as changed
for each statement execute function millrace.mark_search_segments();
create trigger segments_search_update after update on millrace.segments referencing new table as changed
for each statement execute function millrace.mark_search_segments();
create trigger segments_search_delete after delete on millrace.segments referencing old table as changed
for each statement execute function millrace.forget_search_segments();
create trigger entities_search_insert after insert on millrace.entities referencing new table as changed
for each statement execute function millrace.mark_search_entities();
create trigger entities_search_update after update on millrace.entities referencing new table as changed
for each statement execute function millrace.mark_search_entities();
create trigger entities_search_delete after delete on millrace.entities referencing old table as changed
for each statement execute function millrace.mark_search_entities();

-- Searching ----------------------------------------------------------------------------------------------------------

-- The words of a tenant that a word of a query stands for: itself (`exact`), what looks like it (`look`), what is one letter away
-- (`typo`), what begins with it (`prefix`, one more than 200 where there are more).
create function millrace.search_alternatives(p_tenant_id uuid, p_word text, p_prefix boolean)
returns table (kind text, word text, segment_count bigint)
language sql stable parallel safe
begin atomic
  select 'exact', w.word, sum(w.segment_count) from millrace.search_words w
  where w.tenant_id = p_tenant_id and w.word = p_word
  group by w.word
  union all
  (
    select case when millrace.search_shape(w.word) = millrace.search_shape(p_word)
                  or millrace.search_pair_shape(w.word) = millrace.search_pair_shape(p_word) then 'look' else 'typo' end as kind,
           w.word, sum(w.segment_count) as segment_count
    -- Set apart: the keys are the tenant's own, and all of its words beside them would be the dearer way.
    from (select a.* from millrace.search_words a where a.typo_keys && millrace.search_typo_keys(p_tenant_id, p_word) offset 0) w
    where w.tenant_id = p_tenant_id and w.word <> p_word
    group by w.word
    order by 1, 3 desc, 2
    limit 40
  )
  union all
  (
    select 'prefix', w.word, sum(w.segment_count) from millrace.search_words w
    where p_prefix and w.tenant_id = p_tenant_id and w.word > p_word and w.word < p_word || chr(1114111)
    group by w.word
    order by w.word
    limit 201
  );
end;

-- How well a segment answers a query, 0 to 1: words as they were asked for before look-alikes and beginnings, those before typing errors;
-- within each, words next to each other, what was read with more confidence, was shown longer, and stands in a shorter line.
create function millrace.search_score(p_tsv tsvector, p_confidence real, p_t_start bigint, p_t_end bigint,
                                      p_exact tsquery, p_near tsquery, p_adjacent tsquery) returns double precision
language sql immutable parallel safe
return case when p_tsv @@ p_exact then 0.8::double precision when p_tsv @@ p_near then 0.6 else 0.4 end
  + case when p_tsv @@ p_adjacent then 0.09::double precision else 0 end
  -- In floating point throughout: the logarithm of a numeric costs more than all the rest.
  + 0.05::double precision * p_confidence
  + 0.03::double precision * least(ln(1 + (p_t_end - p_t_start)::double precision / 1000) / 8, 1::double precision)
  + 0.02::double precision / greatest(length(p_tsv), 1);

-- What the found segments have in common: of each kind the ten that most of them have.
create function millrace.search_facets(p_mark text, p_segment_ids uuid[], p_is_whole boolean) returns jsonb
language sql stable parallel safe
begin atomic
  with hit as materialized (
    select m.video_id, m.language, m.tsv from millrace.search_materialized m where m.segment_id = any (p_segment_ids)
  ), value as (
    select case when w.word ^@ '@' then 'mentions' when w.word ^@ '#' then 'hashtags' when w.word ^@ 'site:' then 'domains' end as kind,
           case when w.word ^@ 'site:' then substr(w.word, 6) else substr(w.word, 2) end as value
    from hit cross join lateral unnest(tsvector_to_array(hit.tsv)) as l (lexeme)
    cross join lateral (select substr(l.lexeme, 7)) as w (word)
    where substr(l.lexeme, 7, 1) in ('@', '#') or substr(l.lexeme, 7, 5) = 'site:'
    union all select 'languages', language from hit
    union all select 'videos', video_id::text from hit
  ), counted as (
    select kind, value, count(*) as n from value group by kind, value
  ), ranked as (
    select *, row_number() over (partition by kind order by n desc, value) as rank from counted
  )
  select jsonb_build_object('isComplete', p_is_whole) || coalesce(jsonb_object_agg(kind, list), '{}')
  from (
    select kind, jsonb_agg(jsonb_build_object('value', value, 'count', n) order by rank) as list from ranked where rank <= 10 group by kind
  ) k;
end;

-- One page of a search of the transaction's tenant. Takes and gives JSON, whose form src/jobs/search-videos.ts declares.
--
-- What it costs is bounded by the choice of its way, for which the vocabulary says beforehand how often each word occurs:
--   relevance  at most 3,000 segments can match (or, of several common words, do): all are fetched by the text index and ranked;
--   newest     more match: it walks through the videos from the newest on, reading whole videos, until the page is full.
create function millrace.search_videos_page(p_request jsonb) returns jsonb
language plpgsql stable security definer
set search_path = '' set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  c_ranked     constant integer := 3000;
  c_look       constant integer := 2500;
  c_budget     constant integer := 12000;
  v_tenant     uuid := millrace.current_tenant_id();
  v_mark       text := millrace.search_mark(v_tenant);
  v_size       integer := (p_request ->> 'size')::integer;
  v_hits       integer := (p_request ->> 'hits')::integer;
  v_videos     uuid[] := (select array_agg(v.id::uuid) from jsonb_array_elements_text(p_request -> 'videoIds') as v (id));
  v_from       bigint := coalesce((p_request ->> 'tStartMs')::bigint, 0);
  v_to         bigint := coalesce((p_request ->> 'tEndMs')::bigint, 9223372036854775807);
  v_id_from    uuid := coalesce((p_request ->> 'idFrom')::uuid, '00000000-0000-0000-0000-000000000000');
  v_id_to      uuid := coalesce((p_request ->> 'idTo')::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  v_min        numeric := (p_request #>> '{price,min}')::numeric;
  v_max        numeric := (p_request #>> '{price,max}')::numeric;
  v_currency   text := upper(p_request #>> '{price,currency}');
  v_after      uuid := (p_request #>> '{after,videoId}')::uuid;
  v_score      double precision := (p_request #>> '{after,score}')::double precision;
  v_order      text := p_request #>> '{after,order}';
  v_group      jsonb;
  v_token      record;
  v_found      record;
  v_any        text;
  v_said       text;
  v_place      integer;
  v_count      bigint;
  v_least      bigint := 9223372036854775807;
  v_bounds     integer := 0;
  v_words      integer := 0;
  v_asked      boolean := false;
  v_is_open    boolean;
  v_full       text[] := '{}';
  v_index      text[] := '{}';
  v_wide       text[] := '{}';
  v_exact      text[] := '{}';
  v_near       text[] := '{}';
  v_beside     text := '';
  v_marked     text[] := '{}';
  v_begun      text[] := '{}';
  q_full       tsquery;
  q_priced     tsquery;
  q_index      tsquery;
  q_wide       tsquery;
  q_exact      tsquery;
  q_near       tsquery;
  q_beside     tsquery;
  v_segment    uuid[];
  v_video      uuid[];
  v_points     double precision[];
  v_starts     bigint[];
  v_all        uuid[] := '{}';
  v_all_video  uuid[] := '{}';
  v_all_points double precision[] := '{}';
  v_all_starts bigint[] := '{}';
  v_chunk      uuid[];
  v_rows       bigint;
  v_read       bigint := 0;
  v_step       integer := c_look;
  v_distinct   integer := 0;
  v_before     uuid;
  v_is_whole   boolean := true;
  v_result     jsonb;
begin
  if v_tenant is null then
    raise exception 'The transaction names no tenant to search in' using errcode = 'invalid_parameter_value';
  end if;

  -- What was asked for, as words that are there --------------------------------------------------------------------------
  for v_group in select g.value from jsonb_array_elements(p_request -> 'groups') as g loop
    v_asked := true;
    v_any := ''; v_place := null; v_is_open := false;
    for v_token in
      select t.word, t.place, row_number() over (order by t.place, t.no) = count(*) over () as is_last
      from millrace.search_tokens(v_group ->> 'text') with ordinality as t (word, place, no)
      -- Of `@name` only the whole, and elsewhere no wholes.
      where left(t.word, 1) in ('@', '#') = (v_group ->> 'kind' = 'entity')
      order by t.place, t.no
    loop
      v_said := ''; v_count := 0;
      declare
        l_exact text[] := '{}'; l_near text[] := '{}'; l_all text[] := '{}'; l_prefixes integer := 0;
        l_exact_count bigint := 0; l_is_known boolean := false; l_prefix boolean; l_lexeme text;
      begin
        l_prefix := v_token.is_last and coalesce((v_group ->> 'prefix')::boolean, false)
          and (v_group ->> 'isTyping' is null or length(v_token.word) >= 3);
        if v_group ->> 'kind' = 'entity' then l_prefix := l_prefix and length(v_token.word) >= 2; end if;
        for v_found in select a.kind, a.word, a.segment_count from millrace.search_alternatives(v_tenant, v_token.word, l_prefix) a loop
          l_lexeme := millrace.search_lexeme(v_mark, v_found.word);
          if v_found.kind = 'exact' then
            l_exact := l_exact || l_lexeme; l_near := l_near || l_lexeme; l_exact_count := v_found.segment_count;
            l_is_known := l_exact_count >= 5;
          elsif v_found.kind = 'look' then
            l_near := l_near || l_lexeme;
          elsif v_found.kind = 'prefix' then
            l_prefixes := l_prefixes + 1;
            continue when l_prefixes > 200 or (l_is_known and v_group ->> 'isTyping' is not null and v_count + v_found.segment_count > c_ranked);
            l_near := l_near || l_lexeme;
          -- In quotes and after a minus a word means itself; a word of four letters has too many neighbours to look at them unasked;
          -- and a common word is no misreading of one that is known.
          elsif v_group ->> 'kind' <> 'word' or coalesce((v_group ->> 'isExcluded')::boolean, false)
                or length(v_token.word) < 4 or (length(v_token.word) = 4 and l_exact_count > 0)
                or (l_is_known and v_count + v_found.segment_count > c_ranked) then
            continue;
          end if;
          l_all := l_all || l_lexeme;
          v_count := v_count + v_found.segment_count;
          v_marked := v_marked || (v_mark || v_found.word);
        end loop;
        if l_prefixes > 200 and not (l_is_known and v_group ->> 'isTyping' is not null) then
          v_is_open := true;
          l_lexeme := millrace.search_lexeme(v_mark, v_token.word) || ':*';
          -- More words than to name them one by one.
          l_all := array[l_lexeme]; l_near := array[l_lexeme];
          v_begun := v_begun || (v_mark || v_token.word);
        elsif cardinality(l_all) = 0 then
          -- A word that nobody has: it matches nothing, under a name that nothing has.
          l_all := array[millrace.search_lexeme(v_mark, v_token.word)];
        end if;
        v_said := '(' || array_to_string(l_all, '|') || ')';
        v_any := v_any || case when v_any = '' then '' when v_group ->> 'kind' = 'phrase' then ' <' || v_token.place - v_place || '> ' else ' & ' end || v_said;
        if not coalesce((v_group ->> 'isExcluded')::boolean, false) then
          if not v_is_open then
            v_least := least(v_least, v_count);
            v_bounds := v_bounds + 1;
          end if;
          if v_group ->> 'kind' <> 'phrase' then
            v_exact := v_exact || ('(' || array_to_string(l_exact, '|') || ')');
            v_near := v_near || ('(' || array_to_string(l_near, '|') || ')');
          end if;
          if v_group ->> 'kind' = 'word' then
            v_words := v_words + 1;
            v_beside := v_beside || case when v_beside = '' then '' when v_place is not null then ' <0> ' else ' <-> ' end || v_said;
          end if;
        end if;
        v_place := v_token.place;
      end;
    end loop;
    continue when v_any = '';
    if coalesce((v_group ->> 'isExcluded')::boolean, false) then
      v_full := v_full || ('!(' || v_any || ')');
    else
      v_full := v_full || ('(' || v_any || ')');
      v_wide := v_wide || ('(' || v_any || ')');
      if not v_is_open then v_index := v_index || ('(' || v_any || ')'); end if;
      if v_group ->> 'kind' = 'phrase' then
        v_exact := v_exact || ('(' || v_any || ')'); v_near := v_near || ('(' || v_any || ')');
      end if;
    end if;
  end loop;
  -- Nothing but marks was asked for: nothing has those.
  if v_asked and cardinality(v_full) = 0 then v_least := 0; end if;

  for v_group in
    select (select jsonb_agg(millrace.search_fold(w.word)) from jsonb_array_elements_text(e.value) as w (word))
    from jsonb_array_elements(p_request -> 'anyOf') as e
    union all
    -- Prices by the shelves that the range goes over.
    select jsonb_agg('price:' || coalesce(v_currency, '') || ':' || shelf)
    from generate_series(millrace.search_price_shelf(coalesce(v_min, 0)), millrace.search_price_shelf(coalesce(v_max, 1000000000))) as shelf
    where p_request -> 'price' is not null
    having count(*) > 0
  loop
    select string_agg(millrace.search_lexeme(v_mark, w.word), '|'), coalesce(sum(s.segment_count), 0)
    into v_any, v_count
    from jsonb_array_elements_text(v_group) as w (word)
    cross join lateral (select sum(c.segment_count) as segment_count from millrace.search_words c
                        where c.tenant_id = v_tenant and c.word = w.word) s
    where s.segment_count > 0;
    v_least := least(v_least, v_count);
    v_bounds := v_bounds + 1;
    v_marked := v_marked || array(select v_mark || w.word from jsonb_array_elements_text(v_group) as w (word));
    v_full := v_full || ('(' || v_any || ')'); v_index := v_index || ('(' || v_any || ')'); v_wide := v_wide || ('(' || v_any || ')');
  end loop;

  -- What stands on a shelf between the first and the last one is in the range; the others' prices are looked at.
  select string_agg(millrace.search_lexeme(v_mark, 'price:' || coalesce(v_currency, '') || ':' || shelf), '|')::tsquery into q_priced
  from generate_series(millrace.search_price_shelf(coalesce(v_min, 0)) + case when v_min is null then 0 else 1 end,
                       millrace.search_price_shelf(coalesce(v_max, 1000000000)) - case when v_max is null then 0 else 1 end) as shelf
  where p_request -> 'price' is not null;

  if v_least > 0 then
    q_full := nullif(array_to_string(v_full, ' & '), '')::tsquery;
    q_index := nullif(array_to_string(v_index, ' & '), '')::tsquery;
    q_wide := nullif(array_to_string(v_wide, ' & '), '')::tsquery;
    -- `()` stands for a word that has no such form: nothing matches so well.
    q_exact := case when not '()' = any (v_exact) then nullif(array_to_string(v_exact, ' & '), '')::tsquery end;
    q_near := case when not '()' = any (v_near) then nullif(array_to_string(v_near, ' & '), '')::tsquery end;
    q_beside := case when v_words > 1 then v_beside::tsquery end;
  end if;

  -- Which way ------------------------------------------------------------------------------------------------------------
  if v_order is null and v_least > c_ranked then
    v_order := 'newest';
    if v_bounds > 1 then
      -- Common words may meet seldom: as often as in the newest videos, presumably.
      select array_agg(r.video_id), sum(r.segment_count) into v_chunk, v_rows from (
        select v.video_id, v.segment_count, sum(v.segment_count) over (order by v.video_id desc) as running
        from (select * from millrace.search_videos s where s.tenant_id = v_tenant order by s.video_id desc limit 200) v
      ) r where r.running - r.segment_count < c_look;
      select count(*) into v_count from (
        select m.tsv from millrace.search_materialized m where m.tenant_id = v_tenant and m.video_id = any (v_chunk) offset 0
      ) m where m.tsv @@ q_full;
      if v_count * coalesce((select sum(w.segment_count) from millrace.search_words w where w.tenant_id = v_tenant and w.word = ''), 0)
         <= 2 * c_ranked * greatest(v_rows, 1) then
        v_order := 'perhaps';
      end if;
    end if;
  end if;
  v_order := coalesce(v_order, 'relevance');

  -- What matches -------------------------------------------------------------------------------------------------------------
  if v_least = 0 then
    v_order := 'relevance';
  elsif v_order <> 'newest' then
    with candidate as materialized (
      select m.* from millrace.search_materialized m where m.tsv @@ q_index
      -- Twice as many: they may have grown since the first page, which was ranked.
      limit case v_order when 'perhaps' then c_ranked + 1 else 2 * c_ranked end
    )
    select array_agg(h.segment_id), array_agg(h.video_id), array_agg(h.points), array_agg(h.t_start), (select count(*) from candidate)
    into v_all, v_all_video, v_all_points, v_all_starts, v_count
    from (
      select c.segment_id, c.video_id, c.t_start,
             millrace.search_score(c.tsv, c.confidence, c.t_start, c.t_end, q_exact, q_near, q_beside) as points
      from candidate c
      where c.tenant_id = v_tenant and c.tsv @@ q_full and c.t_end >= v_from and c.t_start <= v_to
        and c.video_id between v_id_from and v_id_to and (v_videos is null or c.video_id = any (v_videos))
        and (p_request -> 'price' is null or c.tsv @@ q_priced or exists (
          select from millrace.entities e where e.segment_id = c.segment_id and e.subtype = 'price'
            and e.amount between coalesce(v_min, e.amount) and coalesce(v_max, e.amount) and (v_currency is null or e.currency = v_currency)))
    ) h;
    if v_order = 'perhaps' then
      v_order := case when v_count > c_ranked then 'newest' else 'relevance' end;
    end if;
  end if;
  if v_order = 'newest' then
    v_all := '{}'; v_all_video := '{}'; v_all_points := '{}'; v_all_starts := '{}';
    v_before := v_after;
    loop
      if v_read > c_budget and q_wide is not null then
        -- Not in the newest videos: the index says in which ones.
        select array_agg(n.video_id) into v_chunk from (
          select m.video_id from (select w.* from millrace.search_materialized w where w.tsv @@ q_wide offset 0) m
          where m.tenant_id = v_tenant and m.tsv @@ q_full and (v_before is null or m.video_id < v_before)
            and m.t_end >= v_from and m.t_start <= v_to
            and m.video_id between v_id_from and v_id_to and (v_videos is null or m.video_id = any (v_videos))
            and (p_request -> 'price' is null or m.tsv @@ q_priced or exists (
              select from millrace.entities e where e.segment_id = m.segment_id and e.subtype = 'price'
                and e.amount between coalesce(v_min, e.amount) and coalesce(v_max, e.amount) and (v_currency is null or e.currency = v_currency)))
          group by m.video_id order by m.video_id desc limit v_size + 1 - v_distinct
        ) n;
        v_is_whole := false;
      else
        select array_agg(r.video_id order by r.video_id desc), sum(r.segment_count) into v_chunk, v_rows from (
          select v.video_id, v.segment_count, sum(v.segment_count) over (order by v.video_id desc) as running
          from (
            select s.video_id, s.segment_count from millrace.search_videos s
            where s.tenant_id = v_tenant and s.video_id < coalesce(v_before, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
              and s.video_id between v_id_from and v_id_to and (v_videos is null or s.video_id = any (v_videos))
            order by s.video_id desc limit 400
          ) v
        ) r where r.running - r.segment_count < v_step;
        v_read := v_read + coalesce(v_rows, 0);
        v_step := least(2 * v_step, 4 * c_look);
      end if;
      exit when v_chunk is null;
      select array_agg(m.segment_id), array_agg(m.video_id), array_agg(m.t_start), count(distinct m.video_id),
             array_agg(millrace.search_score(m.tsv, m.confidence, m.t_start, m.t_end, q_exact, q_near, q_beside))
      into v_segment, v_video, v_starts, v_count, v_points
      from millrace.search_materialized m
      where m.tenant_id = v_tenant and m.video_id = any (v_chunk) and (q_full is null or m.tsv @@ q_full)
        and m.t_end >= v_from and m.t_start <= v_to
        and (p_request -> 'price' is null or m.tsv @@ q_priced or exists (
          select from millrace.entities e where e.segment_id = m.segment_id and e.subtype = 'price'
            and e.amount between coalesce(v_min, e.amount) and coalesce(v_max, e.amount) and (v_currency is null or e.currency = v_currency)));
      v_all := v_all || v_segment; v_all_video := v_all_video || v_video;
      v_all_points := v_all_points || v_points; v_all_starts := v_all_starts || v_starts;
      v_distinct := v_distinct + v_count;
      v_before := v_chunk[cardinality(v_chunk)];
      exit when not v_is_whole or v_distinct > v_size;
    end loop;
  end if;

  -- The page -----------------------------------------------------------------------------------------------------------------
  with hit as materialized (
    select * from unnest(v_all, v_all_video, v_all_points, v_all_starts) as h (segment_id, video_id, points, t_start)
  ), video as (
    select h.video_id, max(h.points) + least(0.002::double precision * ln(count(*)::double precision), 0.01::double precision) as score, count(*) as hit_count from hit h group by h.video_id
  ), page as materialized (
    select v.*, row_number() over (order by case v_order when 'relevance' then v.score end desc, v.video_id desc) as place
    from video v
    where v_order = 'newest' or v_after is null or (v.score, v.video_id) < (v_score, v_after)
    order by place
    limit v_size + 1
  ), best as materialized (
    select h.*, p.place, row_number() over (partition by h.video_id order by h.points desc, h.t_start, h.segment_id) as rank
    from hit h join page p on p.video_id = h.video_id
    where p.place <= v_size
  ), shown as materialized (
    select b.video_id, jsonb_agg(jsonb_build_object('segmentId', b.segment_id, 'score', b.points, 'places', coalesce((
             select jsonb_agg(distinct at)
             from millrace.search_materialized m cross join lateral unnest(m.tsv) as u (lexeme, places, weights) cross join lateral unnest(u.places) as at
             where m.segment_id = b.segment_id
               and (u.lexeme = any (v_marked) or exists (select from unnest(v_begun) as x where starts_with(u.lexeme, x)))
           ), '[]')) order by b.rank) as hits
    from best b where b.rank <= v_hits group by b.video_id
  )
  select jsonb_build_object(
    'order', v_order,
    'hasNextPage', (select count(*) > v_size from page),
    'videoCount', case v_order when 'relevance' then (select count(*) from video) end,
    'hitCount', case v_order when 'relevance' then (select count(*) from hit) end,
    'videos', coalesce((
      select jsonb_agg(jsonb_build_object('videoId', p.video_id, 'score', p.score, 'hitCount', p.hit_count, 'hits', s.hits) order by p.place)
      from page p join shown s on s.video_id = p.video_id
    ), '[]'))
  into v_result;

  if (p_request ->> 'hasFacets')::boolean then
    v_result := v_result || jsonb_build_object('facets', millrace.search_facets(v_mark, v_all, v_order = 'relevance'));
  end if;
  return v_result;
end $$;

-- Who may see and do what --------------------------------------------------------------------------------------------

do $$
declare
  v_prefix    text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace');
  v_api       text := v_prefix || '_api';
  v_worker    text := v_prefix || '_worker';
  v_admin     text := v_prefix || '_admin';
  v_table     text;
  v_function  text;
begin
  foreach v_table in array array['search_materialized', 'search_pending', 'search_videos', 'search_words'] loop
    execute format('alter table millrace.%I enable row level security, force row level security', v_table);
    execute format('create policy tenant on millrace.%I for all to %I
                      using (tenant_id = (select millrace.current_tenant_id()))
                      with check (tenant_id = (select millrace.current_tenant_id()))', v_table, v_api);
    execute format('create policy worker on millrace.%I for all to %I using (true) with check (true)', v_table, v_worker);
    execute format('create policy admin on millrace.%I for select to %I using (true)', v_table, v_admin);
    -- The API reads them through the function below alone, and nobody writes them past the functions above.
    execute format('grant select on millrace.%I to %I, %I', v_table, v_worker, v_admin);
    execute format('grant insert, update, delete on millrace.%I to %I', v_table, v_worker);
  end loop;

  -- Owned by the worker role: under the API's policy no text index is ever used. Each takes the tenant from the transaction.
  execute format('grant create on schema millrace to %I', v_worker);
  foreach v_function in array array['refresh_search_materialized(uuid)', 'mark_search_segments()', 'mark_search_entities()',
                                    'forget_search_segments()', 'search_videos_page(jsonb)'] loop
    execute format('alter function millrace.%s owner to %I', v_function, v_worker);
    execute format('revoke all on function millrace.%s from public', v_function);
  end loop;
  execute format('revoke create on schema millrace from %I', v_worker);
  execute format('grant execute on function millrace.refresh_search_materialized(uuid), millrace.search_videos_page(jsonb) to %I, %I', v_api, v_worker);
end $$;
