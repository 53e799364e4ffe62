-- Clips: pieces of a video that somebody asked for. One row a range, made once and given to everybody who asks for it again; made
-- anew when it failed or its time was up.

create table millrace.clips (
  id            uuid primary key default uuidv7(),
  tenant_id     uuid not null references millrace.tenants (id) on delete restrict,
  video_id      uuid not null references millrace.videos (id) on delete restrict,
  -- The job that makes it, or made it; null once that was deleted.
  job_id        uuid references millrace.jobs (id) on delete set null,
  -- What was asked for.
  t_start_ms    bigint not null check (t_start_ms >= 0),
  t_end_ms      bigint not null check (t_end_ms > t_start_ms),
  padding_ms    bigint not null check (padding_ms >= 0),
  -- `running` is written by nobody: whether its job runs is read from the job, as one write less at every claim.
  status        text not null default 'queued' check (status in ('queued', 'running', 'ready', 'failed', 'expired')),
  object_key    text,
  size_bytes    bigint check (size_bytes >= 0),
  sha256        text check (sha256 ~ '^[0-9a-f]{64}$'),
  -- What the clip really shows, within the video.
  start_ms      bigint check (start_ms >= 0),
  end_ms        bigint check (end_ms >= start_ms),
  width_px      integer check (width_px > 0),
  height_px     integer check (height_px > 0),
  error         jsonb,
  -- How long it is kept once it has ended; null for ever. Written at the request, since what ends it knows no configuration.
  kept_seconds  bigint check (kept_seconds > 0),
  expires_at    timestamptz,
  created_by    text,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  version       bigint not null default 1,
  changed_xid   xid8 not null default pg_current_xact_id(),
  unique (tenant_id, video_id, t_start_ms, t_end_ms, padding_ms),
  check (status <> 'ready' or (object_key is not null and size_bytes is not null and sha256 is not null
                               and start_ms is not null and end_ms is not null))
);
create index clips_video_idx on millrace.clips (tenant_id, video_id, id);
create index clips_changed_xid_idx on millrace.clips (changed_xid);
-- Also for the foreign key, when jobs are deleted.
create index clips_job_idx on millrace.clips (job_id);
-- What the lifecycle looks at: it never meets those that have gone.
create index clips_expiry_idx on millrace.clips (expires_at) where status in ('ready', 'failed');

create trigger clips_stamp_insert before insert on millrace.clips for each row
when (new.changed_xid is distinct from pg_current_xact_id())
execute function millrace.stamp_change();
create trigger clips_stamp_update before update on millrace.clips for each row
when (new.version is distinct from old.version + 1 or new.changed_xid is distinct from pg_current_xact_id())
execute function millrace.stamp_change();
create trigger clips_bell after insert or update on millrace.clips for each statement
when (coalesce(current_setting('millrace.bell', true), '') <> 'after_commit')
execute function millrace.ring_bell();

-- Who may see and do what --------------------------------------------------------------------------------------------

alter table millrace.clips enable row level security, force row level security;

do $$
declare
  v_prefix text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace');
  v_api    text := v_prefix || '_api';
  v_worker text := v_prefix || '_worker';
  v_admin  text := v_prefix || '_admin';
begin
  execute format('create policy tenant on millrace.clips for all to %I
                    using (tenant_id = (select millrace.current_tenant_id()))
                    with check (tenant_id = (select millrace.current_tenant_id()))', v_api);
  execute format('create policy worker on millrace.clips for all to %I using (true) with check (true)', v_worker);
  execute format('create policy admin on millrace.clips for select to %I using (true)', v_admin);
  execute format('grant select on millrace.clips to %I, %I, %I', v_api, v_worker, v_admin);
  execute format('grant insert, update on millrace.clips to %I', v_api);
  execute format('grant update on millrace.clips to %I', v_worker);
  -- A clip's time is up: what said that its file was there goes with the file.
  execute format('grant delete on millrace.artifacts to %I', v_worker);
end $$;
