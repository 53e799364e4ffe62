-- Whom a worker's death is charged to, and how long the database is known to have been reachable.

-- Runs that a rescue has taken from this worker: the last of them, whose lease was longer, was not alone in it either.
alter table millrace.job_workers add column lost_run_count integer not null default 0;

-- When somebody led, without a break in what that process saw of the database. A lease is judged by the time within them, so that workers
-- which all live shorter than a lease get their dead predecessors' jobs back.
alter table millrace.maintenance_leader
  add column renewed_at timestamptz not null default '-infinity',
  add column reachable tstzmultirange not null default '{}';
