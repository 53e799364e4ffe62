-- A list of what one person has made read all of its tenant's videos, in search of them.
drop index concurrently if exists millrace.videos_owner_idx;
create index concurrently videos_owner_idx on millrace.videos (tenant_id, owner_id, id) where owner_id is not null;
