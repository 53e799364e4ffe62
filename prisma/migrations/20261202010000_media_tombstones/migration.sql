-- Lists of videos and clips are followed as jobs are: `videoChanges` and `clipChanges`. What was missing for it.

-- Traces of deleted videos and clips, for as long as cursors live: the feed reports to watchers that they are gone.
create table millrace.media_tombstones (
  id           uuid primary key,
  kind         text not null check (kind in ('video', 'clip')),
  tenant_id    uuid not null,
  -- Of a clip: the video that it was a piece of.
  video_id     uuid,
  created_by   text,
  deleted_at   timestamptz not null default now(),
  changed_xid  xid8 not null default pg_current_xact_id()
);
create index media_tombstones_changed_xid_idx on millrace.media_tombstones (changed_xid);
create index media_tombstones_deleted_idx on millrace.media_tombstones (deleted_at);

create function millrace.bury_videos() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  insert into millrace.media_tombstones (id, kind, tenant_id, created_by)
  select id, 'video', tenant_id, owner_id from gone
  on conflict (id) do nothing;
  return null;
end $$;
create trigger videos_bury after delete on millrace.videos
referencing old table as gone for each statement execute function millrace.bury_videos();

create function millrace.bury_clips() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  insert into millrace.media_tombstones (id, kind, tenant_id, video_id, created_by)
  select id, 'clip', tenant_id, video_id, created_by from gone
  on conflict (id) do nothing;
  return null;
end $$;
create trigger clips_bury after delete on millrace.clips
referencing old table as gone for each statement execute function millrace.bury_clips();

-- A deletion is a change, too.
drop trigger videos_bell on millrace.videos;
create trigger videos_bell after insert or update or delete on millrace.videos for each statement
when (coalesce(current_setting('millrace.bell', true), '') <> 'after_commit')
execute function millrace.ring_bell();
drop trigger clips_bell on millrace.clips;
create trigger clips_bell after insert or update or delete on millrace.clips for each statement
when (coalesce(current_setting('millrace.bell', true), '') <> 'after_commit')
execute function millrace.ring_bell();

-- What a fresh subscription reads, newest first; videos have videos_history_idx.
create index clips_history_idx on millrace.clips (tenant_id, id);
-- What is being worked on: whoever resumes gets it anew, since the work's progress is not in the row.
create index videos_in_work_idx on millrace.videos (tenant_id, id) where status in ('uploaded', 'processing', 'transcoded');
create index clips_in_work_idx on millrace.clips (tenant_id, id) where status = 'queued';

-- Who may see and do what --------------------------------------------------------------------------------------------

alter table millrace.media_tombstones enable row level security, force row level security;

do $$
declare
  v_prefix text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace');
  v_api    text := v_prefix || '_api';
  v_worker text := v_prefix || '_worker';
  v_admin  text := v_prefix || '_admin';
begin
  execute format('create policy tenant on millrace.media_tombstones for all to %I
                    using (tenant_id = (select millrace.current_tenant_id()))
                    with check (tenant_id = (select millrace.current_tenant_id()))', v_api);
  execute format('create policy worker on millrace.media_tombstones for all to %I using (true) with check (true)', v_worker);
  execute format('create policy admin on millrace.media_tombstones for select to %I using (true)', v_admin);
  execute format('grant select on millrace.media_tombstones to %I, %I, %I', v_api, v_worker, v_admin);
  -- Written by the triggers, with the rights of the role that deletes.
  execute format('grant insert on millrace.media_tombstones to %I, %I', v_api, v_worker);
  -- Pruned: locked first, which takes the right to change.
  execute format('grant update, delete on millrace.media_tombstones to %I', v_worker);
end $$;
