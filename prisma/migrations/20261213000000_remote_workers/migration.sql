-- Keys of remote workers: the job types that one may claim. Empty for all.
alter table millrace.api_keys add column job_types text[] not null default '{}'
  constraint api_keys_job_types_check check (cardinality(job_types) <= 100 and array_position(job_types, null) is null);
