-- Writes segments of one tenant again; those whose row is the same already are left alone.
create or replace function millrace.search_segments(p_tenant_id uuid, p_segment_ids uuid[]) returns void
language plpgsql volatile set search_path = pg_catalog, pg_temp as $$
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
