-- Puts all of a tenant's texts and titles into the backlog, to be indexed again.
create or replace function millrace.reindex_search(p_tenant_id uuid) returns void
language sql volatile
begin atomic
  insert into millrace.search_pending (tenant_id, video_id, segment_id)
  select s.tenant_id, s.video_id, s.id from millrace.segments s where s.tenant_id = p_tenant_id
  union all
  select v.tenant_id, v.id, v.id from millrace.videos v where v.tenant_id = p_tenant_id
  on conflict do nothing;
end;

revoke all on function millrace.reindex_search from public;
grant execute on function millrace.reindex_search to :"worker";
