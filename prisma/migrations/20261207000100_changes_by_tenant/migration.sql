-- What a tenant's subscriber missed was found among everybody's changes since: each was fetched to see whose it is. The tenant is in the
-- index now, behind the transaction, by which the tailer reads across tenants; others' entries are stepped over without a look at their rows.
drop index concurrently if exists millrace.jobs_changed_idx;
-- All rows satisfy its condition. A statement that does not repeat it cannot take this index: claims and settlements, which look for a tenant in other
-- ways, would read it whole where statistics say that the table is empty.
create index concurrently jobs_changed_idx on millrace.jobs (changed_xid, tenant_id) where changed_xid > '0'::xid8;
drop index concurrently if exists millrace.jobs_changed_xid_idx;

drop index concurrently if exists millrace.job_tombstones_changed_idx;
create index concurrently job_tombstones_changed_idx on millrace.job_tombstones (changed_xid, tenant_id);
drop index concurrently if exists millrace.job_tombstones_changed_xid_idx;

drop index concurrently if exists millrace.videos_changed_idx;
create index concurrently videos_changed_idx on millrace.videos (changed_xid, tenant_id);
drop index concurrently if exists millrace.videos_changed_xid_idx;

drop index concurrently if exists millrace.clips_changed_idx;
create index concurrently clips_changed_idx on millrace.clips (changed_xid, tenant_id);
drop index concurrently if exists millrace.clips_changed_xid_idx;

drop index concurrently if exists millrace.media_tombstones_changed_idx;
create index concurrently media_tombstones_changed_idx on millrace.media_tombstones (changed_xid, tenant_id);
drop index concurrently if exists millrace.media_tombstones_changed_xid_idx;
