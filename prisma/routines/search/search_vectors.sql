-- needs: search_entity_words, search_lexeme, search_mark, search_tokens
-- Segments of one tenant as they are searched, and titles: a title's row has the id of its video, is shown at
-- no time of it (-1), and has the word `title:`.
create or replace function millrace.search_vectors(p_tenant_id uuid, p_segment_ids uuid[])
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
