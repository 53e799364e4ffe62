-- owner: worker
-- Segments that match, of the newest videos on (before `p_after`), whole videos, until more than `p_size`
-- have some. What is not among the newest is looked for by the text index. Indexes: search_videos_pkey,
-- search_materialized_video_idx, search_materialized_tsv_idx.
create or replace function millrace.search_newest(q millrace.search_query, p_after uuid, p_size integer) returns millrace.search_hits
language plpgsql stable as $$
declare
  c_look       constant integer := 2500;
  c_budget     constant integer := 12000;
  v_hits       millrace.search_hits;
  v_found      millrace.search_hits;
  v_chunk      uuid[];
  v_count      bigint;
  v_rows       bigint;
  v_read       bigint := 0;
  v_step       integer := c_look;
  v_distinct   integer := 0;
  v_before     uuid := p_after;
  v_is_whole   boolean := true;
begin
  v_hits.segment_ids := '{}'; v_hits.video_ids := '{}'; v_hits.points := '{}'; v_hits.starts := '{}';
  loop
    if v_read > c_budget and q.wide_query is not null then
      -- Not in the newest videos: the index says in which ones.
      select array_agg(n.video_id) into v_chunk from (
        select m.video_id from (select w.* from millrace.search_materialized w where w.tsv @@ q.wide_query offset 0) m
        where m.tenant_id = q.tenant_id and m.tsv @@ q.full_query and (v_before is null or m.video_id < v_before)
          and m.t_end >= q.t_from and m.t_start <= q.t_to
          and m.video_id between q.id_from and q.id_to and (q.video_ids is null or m.video_id = any (q.video_ids))
          and (not q.has_price or m.tsv @@ q.priced_query or exists (
            select from millrace.entities e where e.segment_id = m.segment_id and e.subtype = 'price'
              and e.amount between coalesce(q.price_min, e.amount) and coalesce(q.price_max, e.amount) and (q.currency is null or e.currency = q.currency)))
        group by m.video_id order by m.video_id desc limit p_size + 1 - v_distinct
      ) n;
      v_is_whole := false;
    else
      select array_agg(r.video_id order by r.video_id desc), sum(r.segment_count) into v_chunk, v_rows from (
        select v.video_id, v.segment_count, sum(v.segment_count) over (order by v.video_id desc) as running
        from (
          select s.video_id, s.segment_count from millrace.search_videos s
          where s.tenant_id = q.tenant_id and s.video_id < coalesce(v_before, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
            and s.video_id between q.id_from and q.id_to and (q.video_ids is null or s.video_id = any (q.video_ids))
          order by s.video_id desc limit 400
        ) v
      ) r where r.running - r.segment_count < v_step;
      v_read := v_read + coalesce(v_rows, 0);
      v_step := least(2 * v_step, 4 * c_look);
    end if;
    exit when v_chunk is null;
    select array_agg(m.segment_id), array_agg(m.video_id), array_agg(m.t_start), count(distinct m.video_id),
           array_agg(millrace.search_score(m.tsv, m.confidence, m.t_start, m.t_end, q.exact_query, q.near_query, q.beside_query))
    into v_found.segment_ids, v_found.video_ids, v_found.starts, v_count, v_found.points
    from millrace.search_materialized m
    where m.tenant_id = q.tenant_id and m.video_id = any (v_chunk) and (q.full_query is null or m.tsv @@ q.full_query)
      and m.t_end >= q.t_from and m.t_start <= q.t_to
      and (not q.has_price or m.tsv @@ q.priced_query or exists (
        select from millrace.entities e where e.segment_id = m.segment_id and e.subtype = 'price'
          and e.amount between coalesce(q.price_min, e.amount) and coalesce(q.price_max, e.amount) and (q.currency is null or e.currency = q.currency)));
    v_hits.segment_ids := v_hits.segment_ids || v_found.segment_ids; v_hits.video_ids := v_hits.video_ids || v_found.video_ids;
    v_hits.points := v_hits.points || v_found.points; v_hits.starts := v_hits.starts || v_found.starts;
    v_distinct := v_distinct + v_count;
    v_before := v_chunk[cardinality(v_chunk)];
    exit when not v_is_whole or v_distinct > p_size;
  end loop;
  return v_hits;
end $$;

revoke all on function millrace.search_newest from public;
