-- owner: worker
-- needs: search_term
-- What a request of `search_videos_page` asks for, as words that are there, for which the vocabulary says how
-- often each occurs.
create or replace function millrace.search_asked(p_request jsonb) returns millrace.search_query language plpgsql stable as $$
declare
  q            millrace.search_query;
  v_group      jsonb;
  v_token      record;
  v_term       millrace.search_term;
  v_any        text;
  v_place      integer;
  v_count      bigint;
  v_words      integer := 0;
  v_asked      boolean := false;
  v_is_open    boolean;
  v_is_excluded boolean;
  v_full       text[] := '{}';
  v_index      text[] := '{}';
  v_wide       text[] := '{}';
  v_exact      text[] := '{}';
  v_near       text[] := '{}';
  v_beside     text := '';
begin
  q := millrace.search_bounds(p_request);
  for v_group in select g.value from jsonb_array_elements(p_request -> 'groups') as g loop
    v_asked := true;
    v_any := ''; v_place := null; v_is_open := false;
    v_is_excluded := coalesce((v_group ->> 'isExcluded')::boolean, false);
    for v_token in
      select t.word, t.place, row_number() over (order by t.place, t.no) = count(*) over () as is_last
      from millrace.search_tokens(v_group ->> 'text') with ordinality as t (word, place, piece, is_guess, no)
      -- `@name` is matched as a whole, other words in parts. What was typed is meant so: guesses are for what
      -- was read.
      where not t.is_guess and left(t.word, 1) in ('@', '#') = (v_group ->> 'kind' = 'entity')
      order by t.place, t.no
    loop
      v_term := millrace.search_term(q.tenant_id, q.mark, v_group, v_token.word, v_token.is_last);
      v_is_open := v_is_open or v_term.is_open;
      q.marked := q.marked || v_term.marked;
      q.begun := q.begun || v_term.begun;
      v_any := v_any || case when v_any = '' then '' when v_group ->> 'kind' = 'phrase' then ' <' || v_token.place - v_place || '> ' else ' & ' end || v_term.said;
      if not v_is_excluded then
        if not v_is_open then
          q.least := least(q.least, v_term.segment_count);
          q.bounds := q.bounds + 1;
        end if;
        if v_group ->> 'kind' <> 'phrase' then
          v_exact := v_exact || v_term.exact_words;
          v_near := v_near || v_term.near_words;
        end if;
        if v_group ->> 'kind' = 'word' then
          v_words := v_words + 1;
          v_beside := v_beside || case when v_beside = '' then '' when v_place is not null then ' <0> ' else ' <-> ' end || v_term.said;
        end if;
      end if;
      v_place := v_token.place;
    end loop;
    continue when v_any = '';
    v_any := '(' || v_any || ')';
    if v_is_excluded then
      v_full := v_full || ('!' || v_any);
    else
      v_full := v_full || v_any;
      v_wide := v_wide || v_any;
      if not v_is_open then v_index := v_index || v_any; end if;
      if v_group ->> 'kind' = 'phrase' then
        v_exact := v_exact || v_any; v_near := v_near || v_any;
      end if;
    end if;
  end loop;
  q.has_words := cardinality(v_wide) > 0;
  -- Nothing but marks was asked for: nothing has those.
  if v_asked and cardinality(v_full) = 0 then q.least := 0; end if;

  for v_group in
    select (select jsonb_agg(millrace.search_fold(w.word)) from jsonb_array_elements_text(e.value) as w (word))
    from jsonb_array_elements(p_request -> 'anyOf') as e
    union all
    -- Prices by the shelves that the range goes over.
    select jsonb_agg('price:' || coalesce(q.currency, '') || ':' || shelf)
    from generate_series(millrace.search_price_shelf(coalesce(q.price_min, 0)), millrace.search_price_shelf(coalesce(q.price_max, 1000000000))) as shelf
    where q.has_price
    having count(*) > 0
  loop
    select string_agg(millrace.search_lexeme(q.mark, w.word), '|'), coalesce(sum(s.segment_count), 0)
    into v_any, v_count
    from jsonb_array_elements_text(v_group) as w (word)
    cross join lateral (select sum(c.segment_count) as segment_count from millrace.search_words c
                        where c.tenant_id = q.tenant_id and c.word = w.word) s
    where s.segment_count > 0;
    q.least := least(q.least, v_count);
    q.bounds := q.bounds + 1;
    q.marked := q.marked || array(select q.mark || w.word from jsonb_array_elements_text(v_group) as w (word));
    v_any := '(' || v_any || ')';
    v_full := v_full || v_any; v_index := v_index || v_any; v_wide := v_wide || v_any;
  end loop;

  if q.least > 0 then
    q.full_query := nullif(array_to_string(v_full, ' & '), '')::tsquery;
    q.index_query := nullif(array_to_string(v_index, ' & '), '')::tsquery;
    q.wide_query := nullif(array_to_string(v_wide, ' & '), '')::tsquery;
    -- `()` stands for a word that has no such form: nothing matches so well.
    q.exact_query := case when not '()' = any (v_exact) then nullif(array_to_string(v_exact, ' & '), '')::tsquery end;
    q.near_query := case when not '()' = any (v_near) then nullif(array_to_string(v_near, ' & '), '')::tsquery end;
    q.beside_query := case when v_words > 1 then v_beside::tsquery end;
  end if;
  -- Titles answer words, and are shown at no time of the video.
  q.t_from := coalesce(q.t_from, case when q.has_words and p_request ->> 'tEndMs' is null then -1 else 0 end);
  return q;
end $$;

revoke all on function millrace.search_asked from public;
