-- What was deleted is found no more at once, and its words are counted off.
create or replace function millrace.forget_search_rows(p_tenant_id uuid, p_segment_ids uuid[]) returns void
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

revoke all on function millrace.forget_search_rows from public;
grant execute on function millrace.forget_search_rows to :"worker";
