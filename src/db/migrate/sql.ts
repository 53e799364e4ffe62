/** What the migration runner says to Postgres beside the migrations themselves. */

export const SERVER_VERSION = `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`;

/** Held by the session, so a runner that dies gives it back. */
export const TRY_LOCK = `select pg_try_advisory_lock($1) as locked`;

/** Read by the baseline and by the file of row security. */
export const SET_ROLE_PREFIX = `select set_config('millrace.role_prefix', $1, false)`;

/** Prisma's own table, as Prisma makes it. */
export const CREATE_BOOKKEEPING = `
create table if not exists public._prisma_migrations (
  id                   varchar(36) primary key not null,
  checksum             varchar(64) not null,
  finished_at          timestamptz,
  migration_name       varchar(255) not null,
  logs                 text,
  rolled_back_at       timestamptz,
  started_at           timestamptz not null default now(),
  applied_steps_count  integer not null default 0
)`;

export const APPLIED_MIGRATIONS = `
select migration_name, checksum from public._prisma_migrations
where finished_at is not null and rolled_back_at is null
order by migration_name`;

export const RECORD_MIGRATION = `
insert into public._prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
values ($1, $2, $3, now(), 1)`;

/** Records a migration whose indexes are still to be built; all else in it is committed. */
export const BEGIN_MIGRATION = `
insert into public._prisma_migrations (id, checksum, migration_name, logs)
values ($1, $2, $3, 'its indexes are being built')`;

export const IS_BEGUN = `
select from public._prisma_migrations
where migration_name = $1 and checksum = $2 and finished_at is null and rolled_back_at is null and logs = 'its indexes are being built'`;

export const FINISH_MIGRATION = `
update public._prisma_migrations set finished_at = now(), applied_steps_count = 1, logs = null
where migration_name = $1 and checksum = $2 and finished_at is null and rolled_back_at is null`;

/** Local to the migration's transaction. */
export const SET_LOCK_TIMEOUT = `select set_config('lock_timeout', $1, true)`;

/** For statements that take no transaction. */
export const SET_SESSION_LOCK_TIMEOUT = `select set_config('lock_timeout', $1, false)`;

/** Who has locks on our tables and has had a transaction open for a while: those are in a migration's way. */
export const FIND_HOLDERS = `
select a.pid, a.usename::text as login, a.application_name, a.state,
       extract(epoch from clock_timestamp() - a.xact_start)::integer as seconds
from pg_stat_activity a
where a.pid <> pg_backend_pid() and a.xact_start is not null
  and exists (select from pg_locks l join pg_class c on c.oid = l.relation
              where l.pid = a.pid and l.granted and c.relnamespace = to_regnamespace('millrace'))
order by a.xact_start
limit 5`;
