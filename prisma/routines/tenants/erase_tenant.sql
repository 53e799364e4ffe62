-- Removes up to p_limit rows of each kind that a deleted tenant has, and in the end the tenant. Files are
-- removed by the duties that sweep deleted_media and job_files, whose rows keep the tenant until then. A run
-- that goes on keeps its job; it has been asked to stop, and its lease ends. Tables of domains are found by
-- their reference to tenants: in what order they refer to each other is left to the rounds.
-- Indexes: those of each table that begin with the tenant.
create or replace function millrace.erase_tenant(p_tenant uuid, p_limit integer, out removed integer, out is_gone boolean)
language plpgsql volatile set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
declare
  v_count  integer;
  v_videos uuid[];
  v_table  record;
begin
  removed := 0;
  is_gone := false;
  perform from millrace.tenants t where t.id = p_tenant and t.deleted_at is not null for update;
  if not found then
    return;
  end if;

  delete from millrace.jobs j where j.id = any (array(
    select o.job_id from millrace.tenant_jobs o join millrace.jobs l on l.id = o.job_id
    where o.tenant_id = p_tenant and (l.status <> 'running' or l.lease_expires_at < clock_timestamp()) limit p_limit));
  get diagnostics v_count = row_count;
  removed := removed + v_count;

  v_videos := array(select v.id from millrace.videos v where v.tenant_id = p_tenant order by v.id limit greatest(1, p_limit / 50));
  if cardinality(v_videos) > 0 then
    insert into millrace.deleted_media (id, kind, tenant_id, video_id)
    select c.id, 'clip', p_tenant, c.video_id from millrace.clips c where c.tenant_id = p_tenant and c.video_id = any (v_videos);
    insert into millrace.deleted_media (id, kind, tenant_id, video_id, original_key, upload_state)
    select v.id, 'video', p_tenant, v.id, v.original_key,
           (select u.store_state from millrace.uploads u where u.video_id = v.id and u.completed_at is null)
    from millrace.videos v where v.id = any (v_videos);
    delete from millrace.clips c where c.tenant_id = p_tenant and c.video_id = any (v_videos);
    delete from millrace.segments s where s.tenant_id = p_tenant and s.video_id = any (v_videos);
    delete from millrace.entities e where e.tenant_id = p_tenant and e.video_id = any (v_videos);
    delete from millrace.ocr_frames f where f.tenant_id = p_tenant and f.video_id = any (v_videos);
    delete from millrace.uploads u where u.tenant_id = p_tenant and u.video_id = any (v_videos);
    delete from millrace.videos v where v.id = any (v_videos);
    removed := removed + cardinality(v_videos);
  end if;

  for v_table in
    select c.conrelid::regclass::text as name, a.attname as tenant_column
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'millrace.tenants'::regclass
      and c.conrelid not in ('millrace.videos'::regclass, 'millrace.clips'::regclass, 'millrace.deleted_media'::regclass,
                             'millrace.job_files'::regclass)
    union all
    select 'millrace.' || n, 'tenant_id'
    from unnest(array['trigger_runs', 'stored_usage_events', 'usage_days', 'limit_gates', 'search_videos', 'search_pending',
                      'search_materialized', 'search_words']) n
  loop
    begin
      execute format('delete from %s where ctid = any (array(select ctid from %1$s where %I = $1 limit $2))', v_table.name, v_table.tenant_column)
        using p_tenant, p_limit;
      get diagnostics v_count = row_count;
      removed := removed + v_count;
    exception when foreign_key_violation then
      -- Something else of the tenant refers to it, and goes first.
      null;
    end;
  end loop;

  if removed = 0 and not exists (select from millrace.tenant_jobs j where j.tenant_id = p_tenant)
     and not exists (select from millrace.deleted_media m where m.tenant_id = p_tenant)
     and not exists (select from millrace.job_files f where f.tenant_id = p_tenant) then
    delete from millrace.tenants t where t.id = p_tenant;
    is_gone := true;
  end if;
end $$;
