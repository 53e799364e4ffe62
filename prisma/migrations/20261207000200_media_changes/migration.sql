-- Videos and clips change so rarely that the tenant in these indexes costs a look more than it saves.
drop index concurrently if exists millrace.videos_changed_xid_idx;
create index concurrently videos_changed_xid_idx on millrace.videos (changed_xid);
drop index concurrently if exists millrace.videos_changed_idx;

drop index concurrently if exists millrace.clips_changed_xid_idx;
create index concurrently clips_changed_xid_idx on millrace.clips (changed_xid);
drop index concurrently if exists millrace.clips_changed_idx;

drop index concurrently if exists millrace.media_tombstones_changed_xid_idx;
create index concurrently media_tombstones_changed_xid_idx on millrace.media_tombstones (changed_xid);
drop index concurrently if exists millrace.media_tombstones_changed_idx;
