-- Files that remote workers upload for their runs: counted in the tenant's storage, and removed with their job. A row outlives its job until its
-- file is gone.
create table millrace.job_files (
  key         text primary key check (length(key) <= 1024),
  tenant_id   uuid not null references millrace.tenants (id) on delete restrict,
  -- Kept by triggers, as those of artifacts are: a foreign key would look at each job that is deleted.
  job_id      uuid,
  -- Of an upload that may begin or runs: what is kept free for it.
  size_bytes  bigint not null default 0 check (size_bytes >= 0),
  uploaded_at timestamptz,
  held_until  timestamptz not null,
  created_at  timestamptz not null default clock_timestamp()
);
create index job_files_tenant_idx on millrace.job_files (tenant_id) include (size_bytes, uploaded_at, held_until);
create index job_files_job_idx on millrace.job_files (job_id);
create index job_files_gone_idx on millrace.job_files (created_at) where job_id is null;
create index job_files_held_idx on millrace.job_files (held_until) where uploaded_at is null;
