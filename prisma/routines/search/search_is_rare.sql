-- owner: worker
-- Whether common words meet seldom: as often as in the newest videos, presumably, and then at most `p_most`
-- times in all.
create or replace function millrace.search_is_rare(q millrace.search_query, p_most integer) returns boolean language plpgsql stable as $$
declare
  c_look  constant integer := 2500;
  v_chunk uuid[];
  v_rows  bigint;
  v_count bigint;
begin
  select array_agg(r.video_id), sum(r.segment_count) into v_chunk, v_rows from (
    select v.video_id, v.segment_count, sum(v.segment_count) over (order by v.video_id desc) as running
    from (select * from millrace.search_videos s where s.tenant_id = q.tenant_id order by s.video_id desc limit 200) v
  ) r where r.running - r.segment_count < c_look;
  select count(*) into v_count from (
    select m.tsv from millrace.search_materialized m where m.tenant_id = q.tenant_id and m.video_id = any (v_chunk) offset 0
  ) m where m.tsv @@ q.full_query;
  return v_count * coalesce((select sum(w.segment_count) from millrace.search_words w where w.tenant_id = q.tenant_id and w.word = ''), 0)
         <= p_most * greatest(v_rows, 1);
end $$;

revoke all on function millrace.search_is_rare from public;
