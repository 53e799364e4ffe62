-- How many bytes a tenant may keep: its own limit, where an operator has set one, and the uploads by one PUT, which count from before
-- their first byte. One upload a video at a time.

alter table millrace.tenants add column max_stored_bytes bigint;
alter table millrace.tenants add constraint tenants_max_stored_bytes_check check (max_stored_bytes > 0);

create table millrace.video_puts (
  video_id      uuid primary key references millrace.videos (id) on delete cascade,
  tenant_id     uuid not null references millrace.tenants (id) on delete restrict,
  -- Of the PUT that is running: what it may write at most.
  size_bytes    bigint not null check (size_bytes >= 0),
  -- Of the last one that ended well, until the video's upload is completed.
  stored_bytes  bigint not null default 0 check (stored_bytes >= 0),
  held_by       uuid,
  held_until    timestamptz,
  check ((held_by is null) = (held_until is null))
);
create index video_puts_tenant_idx on millrace.video_puts (tenant_id);

alter table millrace.video_puts enable row level security, force row level security;

do $$
declare
  v_prefix text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace');
  v_api    text := v_prefix || '_api';
  v_worker text := v_prefix || '_worker';
  v_admin  text := v_prefix || '_admin';
begin
  execute format('create policy tenant on millrace.video_puts for select to %I
                    using (tenant_id = (select millrace.current_tenant_id()))', v_api);
  execute format('create policy worker on millrace.video_puts for all to %I using (true) with check (true)', v_worker);
  execute format('create policy admin on millrace.video_puts for select to %I using (true)', v_admin);
  execute format('grant select on millrace.video_puts to %I, %I, %I', v_api, v_worker, v_admin);
  execute format('grant insert, update, delete on millrace.video_puts to %I', v_worker);
end $$;
