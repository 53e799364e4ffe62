-- The search checks the distance of words that share a key, knows more letters that readers of pictures take for each other, folds more of
-- Unicode, and finds videos by their titles.

-- Words --------------------------------------------------------------------------------------------------------------

-- Text as words are compared: without case, accents and the forms that only print differently. The same on every server, whatever
-- its locale. Parts neither join nor come apart by it, so that a word's place is the same before and after.
create or replace function millrace.search_fold(p_text text) returns text
language sql immutable parallel safe
return case
  when p_text collate "C" ~ '^[\x01-\x7f]*$' then lower(p_text collate "C") collate "pg_c_utf8"
  else replace(replace(replace(translate(normalize(regexp_replace(casefold(normalize(
         -- Accents that stand alone would come apart into a space and a mark; people type them for apostrophes.
         translate(p_text, E'´¨¯¸˘˙˚˛˜˝῾᾿\ufeff', repeat('''', 12) || ' '), NFKD) collate "pg_unicode_fast") collate "pg_c_utf8",
         -- Marks on letters (also of Hebrew and Arabic), skin tones, and what has no width.
         '[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u00ad\u200b-\u200f\u2060\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]',
         '', 'g'), NFC), 'øłđħıŧðŋ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'oldhitdn01234567890123456789'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
end;

drop function millrace.search_vectors(uuid, uuid[]);
drop function millrace.search_tokens(text);

-- The words of a text, in their order. `piece` counts what spaces part, from 1; `place` only those pieces that have a word, so that words with
-- a lone dash or dot between them are next to each other. What is written together without a space (addresses, numbers, dashes) gives
-- several words at one place; of scripts that part no words every sign is one. `@name` and `#tag` are also words as a whole. A bar
-- beside a letter is perhaps an l or an I: the word with one in its place is a guess.
create function millrace.search_tokens(p_text text) returns table (word text, place integer, piece integer, is_guess boolean)
language sql immutable parallel safe
begin atomic
  with piece as (
    select w.piece, w.no
    from string_to_table(btrim(regexp_replace(millrace.search_fold(p_text) collate "pg_c_utf8", '\s+', ' ', 'g')), ' ') with ordinality as w (piece, no)
  ), found as (
    select w.no, m.found[1] as word, m.part, 1 as kind
    from piece w cross join lateral regexp_matches(w.piece collate "pg_c_utf8",
      '[\u00a9\u00ae\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff\U0001f000-\U0001faff]|[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]|[^[:space:][:punct:][:cntrl:]\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+',
      'g') with ordinality as m (found, part)
    union all
    select w.no, m.found[1], m.part, 2
    from piece w cross join lateral regexp_matches(w.piece collate "pg_c_utf8", '(?:^|[^[:alnum:]_@#])([@#][[:alnum:]_]+(?:[.-][[:alnum:]_]+)*)', 'g')
      with ordinality as m (found, part)
    where strpos(w.piece, '@') > 0 or strpos(w.piece, '#') > 0
    union all
    select w.no, m.found[1], m.part, 3
    from piece w cross join lateral regexp_matches(translate(w.piece, '|¦', 'll') collate "pg_c_utf8", '[[:alnum:]]+', 'g')
      with ordinality as m (found, part)
    where w.piece collate "pg_c_utf8" ~ '[|¦][[:alpha:]]|[[:alpha:]][|¦]' and strpos(m.found[1], 'l') > 0
  )
  select left(f.word, 64), least(dense_rank() over (order by f.no), 16000)::integer, f.no::integer, f.kind = 3
  from found f
  order by f.no, f.kind, f.part;
end;

-- A word with the letters made alike that a reader of pictures takes for each other: 0 and o, 1, i and l, 5 and s, 8 and b, 2 and z, 9, q and
-- g, and those of Cyrillic and Greek that look like Latin ones. No two figures become one, so that a number is only itself.
create or replace function millrace.search_shape(p_word text) returns text
language sql immutable parallel safe
return translate(p_word, '01i5829qаеорсухіѕјкмтвнοικνραυτ', 'ollsbzggaeopcyxlsjkmtbholkvpaut');

-- Whether two words are the same but for one letter that is wrong, missing or too many, or two neighbours that are swapped: a distance of at
-- most 1 as Damerau and Levenshtein count it (optimal string alignment). Letters that look alike count as one.
create function millrace.search_is_near(p_one text, p_other text) returns boolean
language sql immutable parallel safe
begin atomic
  select exists (
    select from (values (millrace.search_shape(p_one), millrace.search_shape(p_other)),
                        (millrace.search_pair_shape(p_one), millrace.search_pair_shape(p_other))) as s (a, b)
    where s.a = s.b
       or abs(length(s.a) - length(s.b)) <= 1 and exists (
         select from generate_series(1, greatest(length(s.a), length(s.b))) as i
         where left(s.a, i - 1) = left(s.b, i - 1)
           and case length(s.a) - length(s.b)
             when 0 then substr(s.a, i + 1) = substr(s.b, i + 1)
               or substr(s.a, i, 2) = reverse(substr(s.b, i, 2)) and substr(s.a, i + 2) = substr(s.b, i + 2)
             when 1 then substr(s.a, i + 1) = substr(s.b, i)
             else substr(s.a, i) = substr(s.b, i + 1)
           end));
end;

-- Words that look alike but for their ends: `lvanov` begins as `Ivan` does.
alter table millrace.search_words add column shape text collate "C";

-- Adds up words of one tenant. Waits for nobody: a word that another transaction holds gets a row of its own.
create or replace function millrace.count_search_words(p_tenant_id uuid, p_words text[], p_counts integer[]) returns void
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
  insert into millrace.search_words (tenant_id, word, segment_count, typo_keys, shape)
  select p_tenant_id, c.word, c.n, millrace.search_typo_keys(p_tenant_id, c.word), millrace.search_shape(c.word)
  from change c
  where not exists (select from held where held.word = c.word);
end;

-- The words of a tenant that a word of a query stands for: itself (`exact`), what looks like it (`look`), what is one letter away
-- (`typo`), what begins with it (`prefix`, one more than 200 where there are more), what begins with something that looks like it
-- (`begin`). A shared key says that a word may be near, and no more: a letter may have moved anywhere, and keys are hashes.
create or replace function millrace.search_alternatives(p_tenant_id uuid, p_word text, p_prefix boolean)
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
    where w.tenant_id = p_tenant_id and w.word <> p_word and millrace.search_is_near(w.word, p_word)
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
  )
  union all
  (
    select 'begin', w.word, sum(w.segment_count) from millrace.search_words w
    where p_prefix and w.tenant_id = p_tenant_id and length(p_word) >= 3
      and w.shape > millrace.search_shape(p_word) and w.shape < millrace.search_shape(p_word) || chr(1114111)
      and not starts_with(w.word, p_word)
    group by w.word
    order by 3 desc, w.word
    limit 40
  );
end;

-- Titles -------------------------------------------------------------------------------------------------------------

-- Segments of one tenant as they are searched, and titles: a title's row has the id of its video, is shown at no time of it (-1), and has
-- the word `title:`.
create function millrace.search_vectors(p_tenant_id uuid, p_segment_ids uuid[])
returns table (segment_id uuid, video_id uuid, t_start bigint, t_end bigint, confidence real, language text, tsv tsvector)
language sql stable set enable_seqscan = off
begin atomic
  with source as materialized (
    select s.id, s.video_id, s.t_start, s.t_end, s.confidence, s.language, s.text
    from millrace.segments s
    where s.id = any (p_segment_ids) and s.tenant_id = p_tenant_id
    union all
    select v.id, v.id, -1, -1, 1, '', v.title
    from millrace.videos v
    where v.id = any (p_segment_ids) and v.tenant_id = p_tenant_id
  ), found as (
    -- A text vector has an end, and a line of a picture none of that length.
    select s.id, t.word, t.place from source s cross join lateral millrace.search_tokens(left(s.text, 20000)) t
    union all
    select s.id, case when s.id = s.video_id then 'title:' else 'lang:' || lower(s.language) end, null from source s
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

-- How well a text answers a query, 0 to 1: words as they were asked for before look-alikes and beginnings, those before typing errors;
-- within each, words next to each other, what was read with more confidence, was shown longer (a title: all the time), and stands in a
-- shorter line.
create or replace function millrace.search_score(p_tsv tsvector, p_confidence real, p_t_start bigint, p_t_end bigint,
                                                 p_exact tsquery, p_near tsquery, p_adjacent tsquery) returns double precision
language sql immutable parallel safe
return case when p_tsv @@ p_exact then 0.8::double precision when p_tsv @@ p_near then 0.6 else 0.4 end
  + case when p_tsv @@ p_adjacent then 0.09::double precision else 0 end
  -- In floating point throughout: the logarithm of a numeric costs more than all the rest.
  + 0.05::double precision * p_confidence
  + 0.03::double precision * case when p_t_start < 0 then 1 else least(ln(1 + (p_t_end - p_t_start)::double precision / 1000) / 8, 1::double precision) end
  + 0.02::double precision / greatest(length(p_tsv), 1);

-- What was deleted is found no more at once, and its words are counted off.
create function millrace.forget_search_rows(p_tenant_id uuid, p_segment_ids uuid[]) returns void
language plpgsql volatile set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
declare
  v_words   text[];
  v_counts  integer[];
begin
  delete from millrace.search_pending p
  using millrace.search_materialized m
  where m.segment_id = any (p_segment_ids) and p.tenant_id = p_tenant_id and p.video_id = m.video_id and p.segment_id = m.segment_id;
  with gone as (
    delete from millrace.search_materialized m where m.segment_id = any (p_segment_ids) and m.tenant_id = p_tenant_id
    returning m.video_id, m.tsv
  ), less as (
    select g.video_id, count(*) as n from gone g group by g.video_id
  ), counted as (
    update millrace.search_videos v set segment_count = v.segment_count - less.n
    from less where v.tenant_id = p_tenant_id and v.video_id = less.video_id and v.segment_count <> less.n
  ), emptied as (
    delete from millrace.search_videos v using less
    where v.tenant_id = p_tenant_id and v.video_id = less.video_id and v.segment_count = less.n
  ), word as (
    select substr(l.lexeme, 7) as word, -count(*)::integer as n from gone g cross join lateral unnest(tsvector_to_array(g.tsv)) as l (lexeme) group by 1
    union all
    select '', -count(*)::integer from gone
  )
  select array_agg(w.word), array_agg(w.n) into v_words, v_counts from word w;
  perform millrace.count_search_words(p_tenant_id, v_words, v_counts);
end $$;

-- These belong to the worker role, as what they replace does: under the API's policy no text index is ever used.
do $$
declare
  v_worker  text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace') || '_worker';
begin
  execute format('grant create on schema millrace to %I', v_worker);
  -- Who migrates may have taken a role itself.
  perform set_config('millrace.migrating_role', current_setting('role'), true);
  perform set_config('role', v_worker, true);
end $$;

-- In place of a foreign key, which would go row by row.
create or replace function millrace.forget_search_segments() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp set row_security = on set enable_seqscan = off as $$
declare
  v_tenant  uuid;
begin
  delete from millrace.search_pending p using changed c
  where p.tenant_id = c.tenant_id and p.video_id = c.video_id and p.segment_id = c.id;
  for v_tenant in select distinct c.tenant_id from changed c loop
    perform millrace.forget_search_rows(v_tenant, array(select c.id from changed c where c.tenant_id = v_tenant));
  end loop;
  return null;
end $$;

create function millrace.forget_search_titles() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp set row_security = on set enable_seqscan = off as $$
declare
  v_tenant  uuid;
begin
  delete from millrace.search_pending p using changed c
  where p.tenant_id = c.tenant_id and p.video_id = c.id and p.segment_id = c.id;
  for v_tenant in select distinct c.tenant_id from changed c loop
    perform millrace.forget_search_rows(v_tenant, array(select c.id from changed c where c.tenant_id = v_tenant));
  end loop;
  return null;
end $$;

-- A title is searchable as soon as it is written: there is nothing to collect.
create function millrace.index_search_titles() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp set row_security = on set enable_seqscan = off as $$
declare
  v_tenant  uuid;
begin
  for v_tenant in select distinct c.tenant_id from changed c loop
    perform millrace.search_segments(v_tenant, array(select c.id from changed c where c.tenant_id = v_tenant));
  end loop;
  return null;
end $$;

create function millrace.index_search_title() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp set row_security = on set enable_seqscan = off as $$
begin
  perform millrace.search_segments(new.tenant_id, array[new.id]);
  return null;
end $$;

do $$
begin
  perform set_config('role', current_setting('millrace.migrating_role'), true);
  execute format('revoke create on schema millrace from %I', coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace') || '_worker');
end $$;

create trigger videos_search_insert after insert on millrace.videos referencing new table as changed
for each statement execute function millrace.index_search_titles();
create trigger videos_search_update after update of title on millrace.videos
for each row when (old.title is distinct from new.title) execute function millrace.index_search_title();
create trigger videos_search_delete after delete on millrace.videos referencing old table as changed
for each statement execute function millrace.forget_search_titles();

-- Searching ----------------------------------------------------------------------------------------------------------

do $$
declare
  v_worker  text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace') || '_worker';
begin
  execute format('grant create on schema millrace to %I', v_worker);
  -- Who migrates may have taken a role itself.
  perform set_config('millrace.migrating_role', current_setting('role'), true);
  perform set_config('role', v_worker, true);
end $$;

-- One page of a search of the transaction's tenant. Takes and gives JSON, whose form src/jobs/search-videos.ts declares.
--
-- What it costs is bounded by the choice of its way, for which the vocabulary says beforehand how often each word occurs:
--   relevance  at most 3,000 texts can match (or, of several common words, do): all are fetched by the text index and ranked;
--   newest     more match: it walks through the videos from the newest on, reading whole videos, until the page is full.
create or replace function millrace.search_videos_page(p_request jsonb) returns jsonb
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set row_security = on set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  c_ranked     constant integer := 3000;
  c_look       constant integer := 2500;
  c_budget     constant integer := 12000;
  v_tenant     uuid := millrace.current_tenant_id();
  v_mark       text := millrace.search_mark(v_tenant);
  v_size       integer := (p_request ->> 'size')::integer;
  v_hits       integer := (p_request ->> 'hits')::integer;
  v_videos     uuid[] := (select array_agg(v.id::uuid) from jsonb_array_elements_text(p_request -> 'videoIds') as v (id));
  v_from       bigint;
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
      from millrace.search_tokens(v_group ->> 'text') with ordinality as t (word, place, piece, is_guess, no)
      -- Of `@name` only the whole, and elsewhere no wholes. What was typed is meant so: guesses are for what was read.
      where not t.is_guess and left(t.word, 1) in ('@', '#') = (v_group ->> 'kind' = 'entity')
      order by t.place, t.no
    loop
      v_said := ''; v_count := 0;
      declare
        l_exact text[] := '{}'; l_near text[] := '{}'; l_all text[] := '{}'; l_begins text[] := '{}'; l_prefixes integer := 0;
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
          elsif v_found.kind = 'begin' then
            continue when l_is_known and v_count + v_found.segment_count > c_ranked;
            l_begins := l_begins || l_lexeme; l_near := l_near || l_lexeme;
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
          l_all := l_lexeme || l_begins; l_near := l_all;
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
  -- Titles answer words, and are shown at no time of the video.
  v_from := coalesce((p_request ->> 'tStartMs')::bigint,
                     case when cardinality(v_wide) > 0 and p_request ->> 'tEndMs' is null then -1 else 0 end);
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
    select h.video_id, max(h.points) + least(0.002::double precision * ln(count(*)::double precision), 0.01::double precision) as score, 
           count(*) filter (where h.segment_id <> h.video_id) as hit_count, bool_or(h.segment_id = h.video_id) as has_title
    from hit h group by h.video_id
  ), page as materialized (
    select v.*, row_number() over (order by case v_order when 'relevance' then v.score end desc, v.video_id desc) as place
    from video v
    where v_order = 'newest' or v_after is null or (v.score, v.video_id) < (v_score, v_after)
    order by place
    limit v_size + 1
  ), best as materialized (
    select h.*, p.place, row_number() over (partition by h.video_id order by h.points desc, h.t_start, h.segment_id) as rank
    from hit h join page p on p.video_id = h.video_id
    where p.place <= v_size and h.segment_id <> h.video_id
  ), shown as materialized (
    select b.video_id, jsonb_agg(jsonb_build_object('segmentId', b.segment_id, 'score', b.points, 'places', coalesce((
             select jsonb_agg(distinct t.piece)
             from millrace.segments s cross join lateral millrace.search_tokens(left(s.text, 20000)) t
             where s.id = b.segment_id
               and (v_mark || t.word = any (v_marked) or exists (select from unnest(v_begun) as x where starts_with(v_mark || t.word, x)))
           ), '[]')) order by b.rank) as hits
    from best b where b.rank <= v_hits group by b.video_id
  )
  select jsonb_build_object(
    'order', v_order,
    'hasNextPage', (select count(*) > v_size from page),
    'videoCount', case v_order when 'relevance' then (select count(*) from video) end,
    'hitCount', case v_order when 'relevance' then (select count(*) from hit where segment_id <> video_id) end,
    'videos', coalesce((
      select jsonb_agg(jsonb_build_object('videoId', p.video_id, 'score', p.score, 'hitCount', p.hit_count, 'hits', coalesce(s.hits, '[]'),
               'titlePlaces', case when p.has_title then (
                 select jsonb_agg(distinct t.piece)
                 from millrace.videos v cross join lateral millrace.search_tokens(v.title) t
                 where v.id = p.video_id
                   and (v_mark || t.word = any (v_marked) or exists (select from unnest(v_begun) as x where starts_with(v_mark || t.word, x)))
               ) end) order by p.place)
      from page p left join shown s on s.video_id = p.video_id
      where p.place <= v_size
    ), '[]'))
  into v_result;

  if (p_request ->> 'hasFacets')::boolean then
    v_result := v_result || jsonb_build_object('facets',
      millrace.search_facets(v_mark, array(select f.id from unnest(v_all, v_all_video) as f (id, video_id) where f.id <> f.video_id), v_order = 'relevance'));
  end if;
  return v_result;
end $$;

do $$
begin
  perform set_config('role', current_setting('millrace.migrating_role'), true);
  execute format('revoke create on schema millrace from %I', coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace') || '_worker');
end $$;

-- What is there already ----------------------------------------------------------------------------------------------

-- Videos with texts or a title that wait to be indexed, of any tenant: what this migration leaves behind, and what somebody wrote without
-- calling refresh_search_materialized().
create function millrace.search_backlog(p_limit integer) returns table (tenant_id uuid, video_id uuid)
language sql stable set enable_seqscan = off
begin atomic
  select p.tenant_id, p.video_id from millrace.search_pending p
  group by p.tenant_id, p.video_id order by p.tenant_id, p.video_id limit p_limit;
end;

-- Puts all of a tenant's texts and titles into the backlog, to be indexed anew.
create function millrace.reindex_search(p_tenant_id uuid) returns void
language sql volatile
begin atomic
  insert into millrace.search_pending (tenant_id, video_id, segment_id)
  select s.tenant_id, s.video_id, s.id from millrace.segments s where s.tenant_id = p_tenant_id
  union all
  select v.tenant_id, v.id, v.id from millrace.videos v where v.tenant_id = p_tenant_id
  on conflict do nothing;
end;

do $$
declare
  v_prefix    text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace');
  v_worker    text := v_prefix || '_worker';
begin
  execute format('revoke all on function millrace.search_backlog(integer), millrace.reindex_search(uuid), millrace.forget_search_rows(uuid, uuid[]) from public');
  execute format('grant execute on function millrace.search_backlog(integer), millrace.reindex_search(uuid), millrace.forget_search_rows(uuid, uuid[]) to %I', v_worker);

  -- Row security is forced on the owner too.
  perform set_config('role', v_worker, true);
  -- Whoever makes a trigger must be allowed to call its function; nobody else need.
  revoke all on function millrace.forget_search_titles(), millrace.index_search_titles(), millrace.index_search_title() from public;
  update millrace.search_words w set shape = millrace.search_shape(w.word), typo_keys = millrace.search_typo_keys(w.tenant_id, w.word);
  -- Only what comes out otherwise than before: texts beyond ASCII, those with a lone mark between words, and those with a bar. The rest are as
  -- they were. Workers index them in the background (the duty `search`); until then they are found as they were before.
  insert into millrace.search_pending (tenant_id, video_id, segment_id)
  select s.tenant_id, s.video_id, s.id from millrace.segments s
  where s.text ~ '[^\x01-\x7f]' or s.text ~ '(^|\s)[^[:alnum:]\s]+(\s|$)' or strpos(s.text, '|') > 0
  union all
  select v.tenant_id, v.id, v.id from millrace.videos v
  on conflict do nothing;
  perform set_config('role', current_setting('millrace.migrating_role'), true);
end $$;

alter table millrace.search_words alter column shape set not null;
create index search_words_shape_idx on millrace.search_words (tenant_id, shape);
