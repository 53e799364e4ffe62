import type pg from 'pg';

const COLUMNS = `id, tenant_id, definition_id, status, payload, correlation_id, subject_type, subject_id, scheduled_for, queued_at, claimed_at,
  started_at, finished_at, attempt_count, run_no, created_by, last_error, pending_dependencies, lease_token, lease_expires_at, is_delayed`;

const IS_DELAYED = `,
  s.status = 'queued' and k % 2 = 0`;

/**
 * Three of a hundred jobs are not over; of the others one in a hundred failed. Times go a month back, those
 * of ids too, however long the filling takes.
 */
const FILL = `
insert into millrace.jobs (${COLUMNS})
select uuidv7(now() - clock_timestamp() - a.age), t.id, d.id, s.status, '{}', case when k % 10 < 3 then 'run-' || k / 10 end,
  case when k % 4 = 0 then 'order' end, case when k % 4 = 0 then (k % 1000)::text end, a.at + case when s.status = 'queued' and k % 2 = 0
  then interval '60 days' else interval '0' end, a.at, a.at, a.at,
  case when s.status in ('succeeded', 'failed', 'dead_letter', 'canceled') then a.at + interval '1 second' end, 0, 1, 'user:u' || k % 50,
  case when s.status = 'failed' then '{"type": "Broken"}'::jsonb end, case when s.status = 'queued' and k % 7 = 0 then 1 else 0 end,
  case when s.status = 'running' then gen_random_uuid() end, case when s.status = 'running' then now() + interval '1 hour' end${IS_DELAYED}
from generate_series(1, $1::integer) k
cross join lateral (select k::bigint * 7919 % 1000 as h) x
join lateral (select case when x.h < 20 then 'queued' when x.h < 22 then 'running' when x.h < 32 then 'failed' when x.h = 32 then 'dead_letter'
  when x.h < 36 then 'canceled' else 'succeeded' end as status) s on true
join lateral (select make_interval(secs => 2500000.0 / $1 * ($1::integer - k)) as age,
  now() - make_interval(secs => 2500000.0 / $1 * ($1::integer - k)) as at) a on true
join fill_tenants t on t.n = case when k % 2 = 0 then 0 when k % 4 = 1 then 1 else 2 + k / 4 % 100 end
join fill_definitions d on d.n = k % 3`;

/**
 * Fills a migrated database with this many jobs of two large tenants and a hundred small ones: without
 * triggers, and with indexes that are made afterwards. What the planner knows of the tables stays what it
 * knew when they held a handful.
 * @returns ids of the first large tenant and of a small one
 */
export async function fillWithJobs(
  superuser: pg.Client,
  count: number,
): Promise<{ readonly large: string; readonly small: string }> {
  const { rowCount } = await superuser.query(
    `select from information_schema.columns where table_schema = 'millrace' and table_name = 'jobs' and column_name = 'is_delayed'`,
  );
  // A database of before that column has none of the indexes that it is for either.
  const fill = rowCount === 0 ? FILL.replace(', is_delayed)', ')').replace(IS_DELAYED, '') : FILL;
  const run = async (sql: string, values: unknown[] = []) => (await superuser.query(sql, values)).rows;
  await run(`alter table millrace.jobs set (autovacuum_enabled = off)`);
  await run(`alter table millrace.tenant_jobs set (autovacuum_enabled = off)`);
  await run(`create temp table fill_tenants (n integer primary key, id uuid)`);
  await run(
    `with made as (insert into millrace.tenants (slug, name) select 'fill-' || n, 'Fill' from generate_series(0, 101) n returning slug, id)
     insert into fill_tenants select substr(slug, 6)::integer, id from made`,
  );
  await run(`create temp table fill_definitions as select row_number() over (order by key) - 1 as n, id
    from (select * from millrace.job_definitions order by key limit 3) d`);
  await run(`set session_replication_role = replica`);
  await run(fill, [300]);
  await run(
    `insert into millrace.tenant_jobs select tenant_id, id from millrace.jobs on conflict do nothing`,
  );
  await run(`analyze millrace.jobs, millrace.tenant_jobs, millrace.job_definitions, millrace.tenants`);
  await run('delete from millrace.jobs');
  await run('delete from millrace.tenant_jobs');
  const indexes = await run(
    `select c.oid::regclass::text as name, pg_get_indexdef(c.oid) as definition from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = 'millrace.jobs'::regclass and not exists (select from pg_constraint where conindid = c.oid)`,
  );
  for (const { name } of indexes) await run(`drop index ${name}`);
  await run(fill, [count]);
  await run(`insert into millrace.tenant_jobs select tenant_id, id from millrace.jobs`);
  // As long as it has pages, an index's size is read from its file; what the table held is not looked at
  // again.
  await run(`set maintenance_work_mem = '256MB'`);
  for (const { definition } of indexes) await run(definition);
  await run(`set session_replication_role = origin`);
  const [ids] = await run(
    `select (select id from fill_tenants where n = 0) as large, (select id from fill_tenants where n = 50) as small`,
  );
  return ids;
}
