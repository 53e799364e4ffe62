-- Videos and clips that were deleted and whose files are still to be removed from the store. The row is written with the deletion, so a
-- process that is killed leaves work and no file that nobody knows. It is kept for a while after the files are gone: a run that did
-- not hear of the deletion, or a client with a signed URL, may write another; and what lies there must not be registered anew.

create table millrace.deleted_media (
  id             uuid primary key,
  kind           text not null check (kind in ('video', 'clip')),
  tenant_id      uuid not null references millrace.tenants (id) on delete restrict,
  video_id       uuid not null,
  -- Of a video.
  original_key   text,
  -- Of an upload in pieces that was under way.
  upload_state   jsonb,
  deleted_at     timestamptz not null default clock_timestamp(),
  next_sweep_at  timestamptz not null default clock_timestamp(),
  check ((kind = 'video') = (original_key is not null))
);
create index deleted_media_sweep_idx on millrace.deleted_media (next_sweep_at);
create index deleted_media_tenant_idx on millrace.deleted_media (tenant_id);

alter table millrace.deleted_media enable row level security, force row level security;

do $$
declare
  v_prefix text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace');
  v_api    text := v_prefix || '_api';
  v_worker text := v_prefix || '_worker';
  v_admin  text := v_prefix || '_admin';
begin
  execute format('create policy tenant on millrace.deleted_media for all to %I
                    using (tenant_id = (select millrace.current_tenant_id()))
                    with check (tenant_id = (select millrace.current_tenant_id()))', v_api);
  execute format('create policy worker on millrace.deleted_media for all to %I using (true) with check (true)', v_worker);
  execute format('create policy admin on millrace.deleted_media for select to %I using (true)', v_admin);
  execute format('grant select on millrace.deleted_media to %I, %I, %I', v_api, v_worker, v_admin);
  execute format('grant insert on millrace.deleted_media to %I', v_api);
  execute format('grant update, delete on millrace.deleted_media to %I', v_worker);
  -- Row security holds them to the transaction's tenant.
  execute format('grant delete on millrace.videos, millrace.clips, millrace.artifacts to %I', v_api);
end $$;
