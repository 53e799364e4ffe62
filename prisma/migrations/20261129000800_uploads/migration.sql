-- Resumable uploads: originals that come in pieces. At most one a video; what has come of it is in the store, never under the
-- object's own name, and who may add to it is said here, so that any process may go on with what another began.

create table millrace.uploads (
  id            uuid primary key default uuidv7(),
  tenant_id     uuid not null references millrace.tenants (id) on delete restrict,
  video_id      uuid not null unique references millrace.videos (id) on delete restrict,
  -- What the client declared; the upload has ended when so many bytes are there.
  size_bytes    bigint not null check (size_bytes > 0),
  content_type  text,
  -- The client's `Upload-Metadata`, given back as it came.
  metadata      text not null default '',
  -- What the store's driver has to remember between two pieces.
  store_state   jsonb not null default '{}',
  -- Who adds bytes to it just now, and until when that is believed; another holder takes its place afterwards.
  held_by       uuid,
  held_until    timestamptz,
  -- Somebody else waits for it: the holder stops at its next renewal.
  is_wanted     boolean not null default false,
  completed_at  timestamptz,
  expires_at    timestamptz not null,
  created_at    timestamptz not null default now(),
  check ((held_by is null) = (held_until is null))
);
create index uploads_tenant_idx on millrace.uploads (tenant_id);
-- What the maintenance looks at.
create index uploads_expiry_idx on millrace.uploads (expires_at);

alter table millrace.uploads enable row level security, force row level security;

do $$
declare
  v_prefix text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace');
  v_api    text := v_prefix || '_api';
  v_worker text := v_prefix || '_worker';
  v_admin  text := v_prefix || '_admin';
begin
  execute format('create policy tenant on millrace.uploads for all to %I
                    using (tenant_id = (select millrace.current_tenant_id()))
                    with check (tenant_id = (select millrace.current_tenant_id()))', v_api);
  execute format('create policy worker on millrace.uploads for all to %I using (true) with check (true)', v_worker);
  execute format('create policy admin on millrace.uploads for select to %I using (true)', v_admin);
  execute format('grant select on millrace.uploads to %I, %I, %I', v_api, v_worker, v_admin);
  execute format('grant insert, update, delete on millrace.uploads to %I', v_api);
  execute format('grant update, delete on millrace.uploads to %I', v_worker);
end $$;
