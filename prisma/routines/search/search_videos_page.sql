-- owner: worker
-- One page of a search of the transaction's tenant. Takes and gives JSON, whose form src/jobs/search-videos.ts declares.
-- What it costs is bounded by the choice of its way, for which the vocabulary says beforehand how often each word occurs:
--   relevance  at most 3,000 texts can match (or, of several common words, do): all are fetched by the text index and ranked;
--   newest     more match: it walks through the videos from the newest on, reading whole videos, until the page is full.
create or replace function millrace.search_videos_page(p_request jsonb) returns jsonb
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set row_security = on set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan
as $$
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

revoke all on function millrace.search_videos_page from public;
grant execute on function millrace.search_videos_page to :"api";
