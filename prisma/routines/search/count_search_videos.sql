-- Counts newly indexed segments towards their videos.
create or replace function millrace.count_search_videos(p_tenant_id uuid, p_videos uuid[]) returns void
language sql volatile
begin atomic
  insert into millrace.search_videos as v (tenant_id, video_id, segment_count)
  select p_tenant_id, c.video_id, count(*) from unnest(p_videos) as c (video_id) group by c.video_id order by c.video_id
  on conflict (tenant_id, video_id) do update set segment_count = v.segment_count + excluded.segment_count;
end;
