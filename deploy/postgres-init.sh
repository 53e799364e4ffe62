#!/bin/sh
# Run once, by the image of Postgres, when it has made an empty cluster: makes the login that Millrace connects as. It is no superuser, may
# make neither roles nor databases, and has nothing but Millrace's database. An existing server: run it by hand, with the same variables.
#   POSTGRES_USER, POSTGRES_DB     the administrator that psql connects as, and Millrace's database
#   MILLRACE_DATABASE_PASSWORD     of the login `millrace_app`
set -eu
: "${MILLRACE_DATABASE_PASSWORD:?set it to letters and digits, see deploy/env.example}"
roles=${MILLRACE_ROLES_SQL:-/etc/millrace/postgres-roles.sql}

psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" <<'SQL'
\getenv password MILLRACE_DATABASE_PASSWORD
-- Neither a log of statements nor pg_stat_activity is to show the password.
set log_statement = 'none';
set log_min_error_statement = 'panic';
select 'create role millrace_app login' where not exists (select from pg_roles where rolname = 'millrace_app') \gexec
alter role millrace_app with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'password';
-- Who else may connect is said by name.
select format('revoke connect on database %I from public', current_database()) \gexec
-- Migrations make the schema `millrace`, and their record in `public`.
select format('grant connect, create on database %I to millrace_app', current_database()) \gexec
grant usage, create on schema public to millrace_app;
SQL
# What `millrace roles --sql --login millrace_app` prints: the three roles, and that the login may become them.
psql --no-psqlrc --set=ON_ERROR_STOP=1 --quiet --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --file="$roles"
