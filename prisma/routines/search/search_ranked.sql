-- owner: worker
-- All segments that match, found by the text index: for few enough to be ranked. `candidate_count`: what the
-- index had, at most one more than `p_most`.
-- Index: search_materialized_tsv_idx.
create or replace function millrace.search_ranked(q millrace.search_query, p_most integer, out hits millrace.search_hits, out candidate_count bigint)
language plpgsql stable as $$
declare
  v_hits millrace.search_hits;
begin
  with candidate as materialized (
    select m.* from millrace.search_materialized m where m.tsv @@ q.index_query limit p_most
  )
  select array_agg(h.segment_id), array_agg(h.video_id), array_agg(h.points), array_agg(h.t_start), (select count(*) from candidate)
  into v_hits.segment_ids, v_hits.video_ids, v_hits.points, v_hits.starts, candidate_count
  from (
    select c.segment_id, c.video_id, c.t_start,
           millrace.search_score(c.tsv, c.confidence, c.t_start, c.t_end, q.exact_query, q.near_query, q.beside_query) as points
    from candidate c
    where c.tenant_id = q.tenant_id and c.tsv @@ q.full_query and c.t_end >= q.t_from and c.t_start <= q.t_to
      and c.video_id between q.id_from and q.id_to and (q.video_ids is null or c.video_id = any (q.video_ids))
      and (not q.has_price or c.tsv @@ q.priced_query or exists (
        select from millrace.entities e where e.segment_id = c.segment_id and e.subtype = 'price'
          and e.amount between coalesce(q.price_min, e.amount) and coalesce(q.price_max, e.amount) and (q.currency is null or e.currency = q.currency)))
  ) h;
  hits := v_hits;
end $$;

revoke all on function millrace.search_ranked from public;
