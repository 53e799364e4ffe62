-- Which ended job a job replays. No foreign key, as nowhere at jobs: retention deletes the replayed one whatever was made of it.
alter table millrace.jobs add column replay_of uuid;

-- The replays of a job, oldest first. The column never changes, so no update pays for the index, and few inserts do.
create index jobs_replays_idx on millrace.jobs (tenant_id, replay_of, id) where replay_of is not null;
