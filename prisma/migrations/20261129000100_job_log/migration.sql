-- What runs say while they work: log lines, a picture beside the progress, and progress that leaves no dead rows behind.

-- The log ------------------------------------------------------------------------------------------------------------
-- One row a line, numbered by its run from 1 without gaps. A run's lines are written by its one worker in their order, and only
-- while that run has the job (the insert holds a share lock on the job's row until it commits), so nothing of an earlier run, and
-- nothing of a job that has ended, can become visible later than what follows it: (run_no, line_no) is a cursor that skips nothing.
-- Not partitioned: lines go with their job, and jobs are kept for as long as their tenant or definition says; no day of lines
-- ever goes as a whole.

create table millrace.job_log_lines (
  job_id     uuid not null,
  run_no     integer not null,
  line_no    integer not null,
  tenant_id  uuid not null,
  level      text not null check (level in ('debug', 'info', 'warn', 'error')),
  message    text not null,
  data       jsonb,
  -- By the database's clock, as the worker reckons it from the time of the claim.
  logged_at  timestamptz not null,
  primary key (job_id, run_no, line_no)
)
-- Written once, deleted with the job. The inserts' own vacuum sets the visibility map and freezes: no big bang later.
with (autovacuum_vacuum_insert_scale_factor = 0.1, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000,
      autovacuum_vacuum_max_threshold = 100000, autovacuum_vacuum_cost_limit = 2000);

-- Deleted jobs whose lines are still there. A job may have a hundred thousand, and 500 jobs are deleted by one statement: the lines
-- follow in small batches.
create table millrace.deleted_job_logs (
  job_id  uuid primary key
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

create or replace function millrace.bury_jobs() returns trigger language plpgsql as $$
begin
  insert into millrace.job_tombstones
    (job_id, tenant_id, definition_id, subject_type, subject_id, correlation_id, created_by)
  select id, tenant_id, definition_id, subject_type, subject_id, correlation_id, created_by from gone
  on conflict (job_id) do nothing;
  delete from millrace.job_attempts a using gone g where a.job_id = g.id;
  delete from millrace.job_progress p using gone g where p.job_id = g.id;
  insert into millrace.deleted_job_logs (job_id)
  select g.id from gone g where exists (select from millrace.job_log_lines l where l.job_id = g.id)
  on conflict (job_id) do nothing;
  return null;
end $$;

-- Progress -----------------------------------------------------------------------------------------------------------

-- An object that the handler has published, to be shown beside its words.
alter table millrace.job_progress add column preview_key text;

-- `changed_xid` changes with every update, and a B-tree on it made each of them leave a dead row and two dead index entries: 1,000
-- jobs at three updates a second left 200,000 a minute for vacuum to find. A BRIN index lets an update stay HOT: 400 rounds over 1,000
-- jobs among 100,000 finished ones left at most 1,000 dead rows and no table or index grew, and each round took a quarter less
-- time. BRIN knows no xid8, so it indexes the number; pages that nobody has changed since are stepped over.
create function millrace.xid_number(p_xid xid8) returns bigint
language sql immutable strict parallel safe
return p_xid::text::bigint;

drop index millrace.job_progress_changed_xid_idx;
create index job_progress_changed_idx on millrace.job_progress
  using brin (millrace.xid_number(changed_xid)) with (pages_per_range = 4, autosummarize = on);

-- Who may see and do what --------------------------------------------------------------------------------------------

alter table millrace.job_log_lines enable row level security, force row level security;

do $$
declare
  v_prefix text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace');
  v_api    text := v_prefix || '_api';
  v_worker text := v_prefix || '_worker';
  v_admin  text := v_prefix || '_admin';
begin
  execute format('create policy tenant on millrace.job_log_lines for all to %I
                    using (tenant_id = (select millrace.current_tenant_id()))
                    with check (tenant_id = (select millrace.current_tenant_id()))', v_api);
  execute format('create policy worker on millrace.job_log_lines for all to %I using (true) with check (true)', v_worker);
  execute format('create policy admin on millrace.job_log_lines for select to %I using (true)', v_admin);
  execute format('grant select on millrace.job_log_lines to %I, %I, %I', v_api, v_worker, v_admin);
  execute format('grant insert, delete on millrace.job_log_lines to %I', v_worker);
  execute format('grant select, insert, update, delete on millrace.deleted_job_logs to %I', v_worker);
  execute format('grant execute on function millrace.xid_number(xid8) to %I, %I, %I', v_api, v_worker, v_admin);
end $$;
