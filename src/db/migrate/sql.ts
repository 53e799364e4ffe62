/** What the migration runner says to Postgres beside the migrations themselves. */

export const SERVER_VERSION = `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`;

/** Held by the session, so a runner that dies gives it back. */
export const LOCK = `select pg_advisory_lock($1)`;

/** Read by the row-security migration. */
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
