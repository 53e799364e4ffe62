-- owner: worker
-- The page of a search out of all that matches: its videos in their order, and of each the best segments,
-- with the places of what is to be marked.
create or replace function millrace.search_shown(
  q millrace.search_query, p_hits millrace.search_hits, p_order text, p_after uuid, p_score double precision, p_size integer, p_shown integer
) returns jsonb language plpgsql stable as $$
declare
  v_result jsonb;
begin
  with hit as materialized (
    select * from unnest(p_hits.segment_ids, p_hits.video_ids, p_hits.points, p_hits.starts) as h (segment_id, video_id, points, t_start)
  ), video as (
    select h.video_id, max(h.points) + least(0.002::double precision * ln(count(*)::double precision), 0.01::double precision) as score, 
           count(*) filter (where h.segment_id <> h.video_id) as hit_count, bool_or(h.segment_id = h.video_id) as has_title
    from hit h group by h.video_id
  ), page as materialized (
    select v.*, row_number() over (order by case p_order when 'relevance' then v.score end desc, v.video_id desc) as place
    from video v
    where p_order = 'newest' or p_after is null or (v.score, v.video_id) < (p_score, p_after)
    order by place
    limit p_size + 1
  ), best as materialized (
    select h.*, p.place, row_number() over (partition by h.video_id order by h.points desc, h.t_start, h.segment_id) as rank
    from hit h join page p on p.video_id = h.video_id
    where p.place <= p_size and h.segment_id <> h.video_id
  ), shown as materialized (
    select b.video_id, jsonb_agg(jsonb_build_object('segmentId', b.segment_id, 'score', b.points, 'places', coalesce((
             select jsonb_agg(distinct t.piece)
             from millrace.segments s cross join lateral millrace.search_tokens(left(s.text, 20000)) t
             where s.id = b.segment_id
               and (q.mark || t.word = any (q.marked) or exists (select from unnest(q.begun) as x where starts_with(q.mark || t.word, x)))
           ), '[]')) order by b.rank) as hits
    from best b where b.rank <= p_shown group by b.video_id
  )
  select jsonb_build_object(
    'order', p_order,
    'hasNextPage', (select count(*) > p_size from page),
    'videoCount', case p_order when 'relevance' then (select count(*) from video) end,
    'hitCount', case p_order when 'relevance' then (select count(*) from hit where segment_id <> video_id) end,
    'videos', coalesce((
      select jsonb_agg(jsonb_build_object('videoId', p.video_id, 'score', p.score, 'hitCount', p.hit_count, 'hits', coalesce(s.hits, '[]'),
               'titlePlaces', case when p.has_title then (
                 select jsonb_agg(distinct t.piece)
                 from millrace.videos v cross join lateral millrace.search_tokens(v.title) t
                 where v.id = p.video_id
                   and (q.mark || t.word = any (q.marked) or exists (select from unnest(q.begun) as x where starts_with(q.mark || t.word, x)))
               ) end) order by p.place)
      from page p left join shown s on s.video_id = p.video_id
      where p.place <= p_size
    ), '[]'))
  into v_result;
  return v_result;
end $$;

revoke all on function millrace.search_shown from public;
