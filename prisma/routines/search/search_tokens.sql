-- needs: search_fold
-- The words of a text, in their order. `piece` counts what spaces part, from 1; `place` only those pieces
-- that have a word, so that words with a lone dash or dot between them are next to each other. What is
-- written together without a space (addresses, numbers, dashes) gives several words at one place; of scripts
-- that part no words every sign is one. `@name` and `#tag` are also words as a whole. A bar beside a letter
-- is perhaps an l or an I: the word with one in its place is a guess.
create or replace function millrace.search_tokens(p_text text) returns table (word text, place integer, piece integer, is_guess boolean)
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
