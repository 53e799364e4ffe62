-- What the found segments have in common: of each kind the ten that most of them have.
create or replace function millrace.search_facets(p_mark text, p_segment_ids uuid[], p_is_whole boolean) returns jsonb
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
