-- What a job made, by kind: a page of it is read in order, and which kinds there are without reading all of its files.
drop index concurrently if exists millrace.artifacts_made_idx;
create index concurrently artifacts_made_idx on millrace.artifacts (job_id, kind, key);
drop index concurrently if exists millrace.artifacts_job_idx;
