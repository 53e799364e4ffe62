-- owner: worker
-- The tenant's job that has this dedupe key and is active, or was enqueued within the window; null when there
-- is none.
-- Indexes: jobs_active_dedupe_idx, jobs_dedupe_idx.
create or replace function millrace.active_duplicate(p_tenant_id uuid, p_dedupe_key text, p_window_seconds integer) returns uuid
language plpgsql volatile as $$
declare
  v_id uuid;
begin
  select j.id into v_id from millrace.jobs j
  where j.tenant_id = p_tenant_id and j.dedupe_key = p_dedupe_key and j.status in ('queued', 'running');
  if v_id is null and p_window_seconds is not null then
    select r.id into v_id
    from (select j.id, j.queued_at from millrace.jobs j
          where j.tenant_id = p_tenant_id and j.dedupe_key = p_dedupe_key
          order by j.id desc limit 1) r
    where r.queued_at > clock_timestamp() - p_window_seconds * interval '1 second';
  end if;
  return v_id;
end $$;

revoke all on function millrace.active_duplicate from public;
