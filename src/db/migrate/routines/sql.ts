/** What the routines' bookkeeping says to Postgres. */

/**
 * Beside Prisma's own table, and read by every process that waits for its schema: a role that may use the
 * schema `public` may read it. `checksum`: of the file that was applied last. `definition`: of what Postgres
 * made of it, so that an edit by hand is seen.
 */
export const CREATE_ROUTINES_TABLE = `
create table if not exists public._millrace_routines (
  kind        text not null,
  name        text not null,
  path        text not null,
  checksum    text not null,
  definition  text not null,
  applied_at  timestamptz not null default now(),
  primary key (kind, name)
);
grant select on public._millrace_routines to public`;

export const APPLIED_ROUTINES =
  'select kind, name, path, checksum, definition from public._millrace_routines order by kind, name';

/**
 * Every function, view and trigger of the schema as Postgres writes it down, hashed, and all policies
 * together. Overloads count as one. With a fixed search_path, which decides how names are written.
 */
export const DEFINITIONS = `
select 'function' as kind, p.proname::text as name,
       md5(string_agg(pg_get_functiondef(p.oid) || pg_get_userbyid(p.proowner), '' order by p.oid::regprocedure::text)) as definition
  from pg_proc p where p.pronamespace = to_regnamespace('millrace') and p.prokind = 'f' group by p.proname
union all
select 'view', c.relname, md5(pg_get_viewdef(c.oid) || coalesce(c.reloptions::text, ''))
  from pg_class c where c.relnamespace = to_regnamespace('millrace') and c.relkind = 'v'
union all
select 'trigger', t.tgname, md5(string_agg(pg_get_triggerdef(t.oid) || t.tgenabled::text, '' order by t.tgrelid::regclass::text))
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
 where c.relnamespace = to_regnamespace('millrace') and not t.tgisinternal group by t.tgname
union all
select 'policies', 'row_security', md5(string_agg(
         c.relname || c.relrowsecurity || c.relforcerowsecurity || coalesce((
           select string_agg(concat_ws(' ', p.polname, p.polcmd, p.polpermissive, pg_get_expr(p.polqual, p.polrelid),
                                       pg_get_expr(p.polwithcheck, p.polrelid),
                                       (select string_agg(pg_get_userbyid(r), ',' order by pg_get_userbyid(r)) from unnest(p.polroles) r)),
                             ';' order by p.polname)
             from pg_policy p where p.polrelid = c.oid), ''), ';' order by c.relname))
  from pg_class c where c.relnamespace = to_regnamespace('millrace') and c.relkind in ('r', 'p')`;

export const SET_SEARCH_PATH = `select set_config('search_path', 'pg_catalog, pg_temp', $1)`;

export const RECORD_ROUTINES = `
insert into public._millrace_routines (kind, name, path, checksum, definition)
select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
on conflict (kind, name) do update
set path = excluded.path, checksum = excluded.checksum, definition = excluded.definition, applied_at = now()`;

export const FORGET_ROUTINE = 'delete from public._millrace_routines where kind = $1 and name = $2';

/** The functions of a name, one unless it has overloads. */
export const FUNCTIONS_NAMED = `
select pg_get_userbyid(p.proowner)::text as owner from pg_proc p
 where p.pronamespace = to_regnamespace('millrace') and p.proname = $1`;

/**
 * Statements that drop what has one of these names, every overload and whatever table it is on; functions in
 * one, since some call others.
 */
export const DROPS = `
select format('drop function %s', string_agg(p.oid::regprocedure::text, ', ')) as drop, pg_get_userbyid(p.proowner)::text as owner
  from pg_proc p where $1 = 'function' and p.pronamespace = to_regnamespace('millrace') and p.proname = any ($2) group by p.proowner
union all
select format('drop view %s', c.oid::regclass), pg_get_userbyid(c.relowner)::text
  from pg_class c
 where $1 = 'view' and c.relnamespace = to_regnamespace('millrace') and c.relkind = 'v' and c.relname = any ($2)
union all
select format('drop trigger %I on %s', t.tgname, t.tgrelid::regclass), pg_get_userbyid(c.relowner)::text
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
 where $1 = 'trigger' and c.relnamespace = to_regnamespace('millrace') and not t.tgisinternal and t.tgname = any ($2)`;

/** All routines that depend on a function or view, itself among them: what has to be recreated with it. */
export const DEPENDENTS = `
with recursive dependent (classid, objid) as (
  select 'pg_proc'::regclass::oid, p.oid from pg_proc p
   where $1 = 'function' and p.pronamespace = to_regnamespace('millrace') and p.proname = $2
  union
  select 'pg_class'::regclass::oid, c.oid from pg_class c
   where $1 = 'view' and c.relnamespace = to_regnamespace('millrace') and c.relkind = 'v' and c.relname = $2
  union
  select case when r.oid is null then d.classid else 'pg_class'::regclass::oid end, coalesce(r.ev_class, d.objid)
    from dependent b
    join pg_depend d on d.refclassid = b.classid and d.refobjid = b.objid and d.deptype in ('n', 'a', 'i')
    left join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid
   where d.classid in ('pg_proc'::regclass, 'pg_rewrite'::regclass, 'pg_trigger'::regclass)
)
select distinct coalesce('function ' || p.proname, 'view ' || c.relname, 'trigger ' || t.tgname) as key
  from dependent d
  left join pg_proc p on d.classid = 'pg_proc'::regclass and p.oid = d.objid
  left join pg_class c on d.classid = 'pg_class'::regclass and c.oid = d.objid
  left join pg_trigger t on d.classid = 'pg_trigger'::regclass and t.oid = d.objid and not t.tgisinternal
 where coalesce(p.proname, c.relname, t.tgname) is not null`;

/** Roles of other programs that may call a function: theirs stay when it is recreated. */
export const FOREIGN_CALLERS = `
select p.proname::text as name, a.grantee::regrole::text as role from pg_proc p
 cross join lateral aclexplode(p.proacl) a
 where p.pronamespace = to_regnamespace('millrace') and a.grantee <> 0 and a.grantee <> p.proowner
   and pg_get_userbyid(a.grantee) <> all ($1)`;

/**
 * The owner of a function that the login may not call, and the login: to name a function in a trigger takes
 * the right to call it.
 */
export const UNCALLABLE = `
select pg_get_userbyid(p.proowner)::text as owner, quote_ident(current_user) as login
  from pg_proc p
 where p.pronamespace = to_regnamespace('millrace') and p.proname = $1 and not has_function_privilege(p.oid, 'execute')`;
