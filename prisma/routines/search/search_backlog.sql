-- Videos with texts or a title that wait to be indexed, of any tenant: what this migration leaves behind, and
-- what somebody wrote without calling refresh_search_materialized().
create or replace function millrace.search_backlog(p_limit integer) returns table (tenant_id uuid, video_id uuid)
language sql stable set enable_seqscan = off
begin atomic
  select p.tenant_id, p.video_id from millrace.search_pending p
  group by p.tenant_id, p.video_id order by p.tenant_id, p.video_id limit p_limit;
end;

revoke all on function millrace.search_backlog from public;
grant execute on function millrace.search_backlog to :"worker";
