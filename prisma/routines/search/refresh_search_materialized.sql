-- owner: worker
-- Makes what has changed searchable: of one video, or of all of the transaction's tenant. Costs by what has
-- changed, not by what is there; nothing has changed: nothing is done.
create or replace function millrace.refresh_search_materialized(p_video_id uuid default null) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set enable_seqscan = off set row_security = on as $$
declare
  v_tenant  uuid := millrace.current_tenant_id();
  v_ids     uuid[];
begin
  if v_tenant is null then
    raise exception 'The transaction names no tenant whose search is to be refreshed'
      using errcode = 'invalid_parameter_value', hint = 'Set millrace.tenant_id in the transaction.';
  end if;
  loop
    select array_agg(p.segment_id) into v_ids
    from (
      select q.segment_id from millrace.search_pending q
      where q.tenant_id = v_tenant and (p_video_id is null or q.video_id = p_video_id)
      order by q.tenant_id, q.video_id, q.segment_id
      limit 5000 for update
    ) p;
    exit when v_ids is null;
    perform millrace.search_segments(v_tenant, v_ids);
    delete from millrace.search_pending q
    where q.tenant_id = v_tenant and (p_video_id is null or q.video_id = p_video_id) and q.segment_id = any (v_ids);
  end loop;
end $$;

revoke all on function millrace.refresh_search_materialized from public;
grant execute on function millrace.refresh_search_materialized to :"api";
