-- Looking after the queue: who leads, what is deleted when, what the tenants used day by day, and how soon the hot tables
-- are vacuumed.

-- One leader ---------------------------------------------------------------------------------------------------------
-- A lease like a job's, in one row that is there from the beginning: two processes that boot together never both make it. A
-- row and not an advisory lock: it needs no session, so a pooler does not mind, and it ends by itself when its holder is frozen
-- or its connection dead without the server knowing.

create table millrace.maintenance_leader (
  id          boolean primary key default true check (id),
  -- Random per process start; null while nobody has led yet.
  holder      text,
  -- Grows at each change of the leader.
  term        bigint not null default 0,
  expires_at  timestamptz not null default '-infinity'
)
-- Renewed several times a second: room for the versions beside each other, so that no index is written.
with (fillfactor = 10, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);
insert into millrace.maintenance_leader default values;

-- Usage --------------------------------------------------------------------------------------------------------------
-- Read by time, deleted by time. `id` stays in the key: two runs may end in one microsecond.

alter table millrace.usage_events
  drop constraint usage_events_pkey,
  add primary key (tenant_id, created_at, id);

-- The sums of whole hours, so that a year of a busy tenant is read from some thousand rows and not from its millions of runs.
create table millrace.usage_days (
  tenant_id      uuid not null,
  -- UTC.
  day            date not null,
  definition_id  uuid not null,
  outcome        text not null,
  runs           bigint not null,
  wall_ms        bigint not null,
  -- Of the runs whose CPU time is known, which `cpu_runs` counts.
  cpu_ms         bigint not null,
  cpu_runs       bigint not null,
  primary key (tenant_id, day, definition_id, outcome)
);

-- Up to when usage_events are summed up in usage_days; later ones are read one by one.
create table millrace.usage_rollup (
  id            boolean primary key default true check (id),
  rolled_until  timestamptz not null
);
insert into millrace.usage_rollup (rolled_until) values (date_trunc('hour', now()));

-- Vacuum -------------------------------------------------------------------------------------------------------------
-- A job leaves two dead versions within seconds, none of them HOT, in every index that its row is in, and the claim's index scans
-- meet the dead entries until vacuum takes them. 100,000 jobs drained at 2,000/s, vacuumed every 15 s: at most 37,000 dead rows, 42 MB of
-- heap and 34 MB of indexes, the same after the last vacuum. The default cost limit (200, shared by all workers: 40 MB/s of
-- dirtied pages) made each vacuum of jobs take 2.0 s, 2,000 made it 1.2 s on the same busy machine, and 46,000 rows were dead. It counts
-- the more, the more tables are due at once. `max_threshold`: with millions of finished jobs kept, a hundredth of the table
-- would be too late.

alter table millrace.jobs set (
  autovacuum_vacuum_cost_limit = 2000, autovacuum_vacuum_max_threshold = 100000,
  -- Payloads and results die with their job only.
  toast.autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_threshold = 1000,
  toast.autovacuum_vacuum_cost_limit = 2000);
-- Written once and deleted with the job. The inserts' own vacuum sets the visibility map and freezes: no big bang later.
alter table millrace.job_attempts set (
  autovacuum_vacuum_cost_limit = 2000, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_max_threshold = 100000,
  toast.autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_threshold = 1000);
-- Few rows, each overwritten again and again.
alter table millrace.job_progress set (autovacuum_vacuum_cost_limit = 2000);
alter table millrace.limit_gates set (autovacuum_vacuum_cost_limit = 2000);
-- Come and go by the day, in the order of time.
alter table millrace.job_tombstones set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
alter table millrace.usage_events set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 10000);
-- Edges are looked up by parent at every settlement.
alter table millrace.job_dependencies set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

-- Who may see and do what --------------------------------------------------------------------------------------------

alter table millrace.usage_days enable row level security, force row level security;

do $$
declare
  v_prefix text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace');
  v_api    text := v_prefix || '_api';
  v_worker text := v_prefix || '_worker';
  v_admin  text := v_prefix || '_admin';
begin
  execute format('create policy tenant on millrace.usage_days for all to %I
                    using (tenant_id = (select millrace.current_tenant_id()))
                    with check (tenant_id = (select millrace.current_tenant_id()))', v_api);
  execute format('create policy worker on millrace.usage_days for all to %I using (true) with check (true)', v_worker);
  execute format('create policy admin on millrace.usage_days for select to %I using (true)', v_admin);
  execute format('grant select on millrace.usage_days, millrace.usage_rollup to %I, %I, %I', v_api, v_worker, v_admin);
  execute format('grant insert, update, delete on millrace.usage_days to %I', v_worker);
  execute format('grant update on millrace.usage_rollup to %I', v_worker);
  execute format('grant select on millrace.maintenance_leader to %I, %I', v_worker, v_admin);
  execute format('grant update on millrace.maintenance_leader to %I', v_worker);
end $$;
