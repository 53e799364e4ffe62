/**
 * What of a schema is compared, one query a section, each row one entry of the dump. Names of columns'
 * positions and of roles are as Postgres has them; the login that owns the schema reads `owner`, so that
 * dumps of two logins can be compared.
 */
const OWNER = `case when pg_get_userbyid(%owner) = pg_get_userbyid(n.nspowner) then 'owner' else pg_get_userbyid(%owner) end`;

const RIGHTS = `(
  select string_agg(format('%s: %s', who, what), '; ' order by who) from (
    select case when x.grantee = 0 then 'public' when x.grantee = %owner then 'its owner' else pg_get_userbyid(x.grantee) end as who,
           string_agg(lower(x.privilege_type), ' ' order by x.privilege_type) as what
    from aclexplode(coalesce(%acl, acldefault('%kind', %owner))) x group by 1) rights)`;

const owner = (column: string) => OWNER.replaceAll('%owner', column);
const rights = (acl: string, ownerColumn: string, kind: string) =>
  RIGHTS.replaceAll('%owner', ownerColumn).replaceAll('%acl', acl).replaceAll('%kind', kind);

const TABLES = `
select format('create table %I (%s);%s', c.relname, string_agg(
         format(E'\\n  %I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
           case when a.attnotnull then ' not null' else '' end,
           case when a.attidentity = 'a' then ' generated always as identity'
                when d.oid is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end),
         ',' order by a.attnum) || E'\\n',
         case when c.reloptions is null and t.reloptions is null then ''
              else format(E'\\n-- with %s; toast %s', array_to_string(c.reloptions, ', '), array_to_string(t.reloptions, ', ')) end) as entry
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  left join pg_class t on t.oid = c.reltoastrelid
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
 where n.nspname = $1 and c.relkind in ('r', 'p', 'c')
 group by c.relname, c.reloptions, t.reloptions, c.relkind
 order by c.relkind, c.relname`;

const VIEWS = `
select format(E'create view %I (%s);\\n-- owner %s; with %s\\n%s', c.relname, (
         select string_agg(a.attname || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), ''), ', ' order by a.attnum)
           from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
          where a.attrelid = c.oid and a.attnum > 0),
         ${owner('c.relowner')}, array_to_string(c.reloptions, ', '), pg_get_viewdef(c.oid)) as entry
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
 where n.nspname = $1 and c.relkind = 'v' order by c.relname`;

const CONSTRAINTS = `
select format('alter table %I add constraint %I %s;%s', c.relname, k.conname, pg_get_constraintdef(k.oid),
         case when k.convalidated then '' else ' -- not valid' end) as entry
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
 where k.connamespace = to_regnamespace($1) and k.contype <> 'n'
 order by c.relname, k.conname`;

const INDEXES = `
select pg_get_indexdef(i.indexrelid) || ';' || case when i.indisvalid then '' else ' -- invalid' end as entry
  from pg_index i join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
 where c.relnamespace = to_regnamespace($1) order by c.relname, x.relname`;

// What a file says beyond the body: the body is in that file.
const ROUTINES = `
select format(E'function %I(%s)\\n  returns %s\\n  -- %s, owner %s%s%s%s%s', p.proname, pg_get_function_arguments(p.oid),
         pg_get_function_result(p.oid), l.lanname, ${owner('p.proowner')},
         case p.provolatile when 'i' then ', immutable' when 's' then ', stable' else '' end
           || case when p.proisstrict then ', strict' else '' end
           || case p.proparallel when 's' then ', parallel safe' when 'r' then ', parallel restricted' else '' end
           || case when p.prosecdef then ', security definer' else '' end
           || case when p.proleakproof then ', leakproof' else '' end,
         case when p.procost in (1, 100) then '' else format(', cost %s', p.procost) end,
         case when p.prorows in (0, 1000) then '' else format(', rows %s', p.prorows) end,
         coalesce(', set ' || array_to_string(p.proconfig, ', set '), '')) as entry
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  join pg_language l on l.oid = p.prolang
 where n.nspname = $1 order by p.proname, pg_get_function_arguments(p.oid)`;

const BODIES = `
select pg_get_functiondef(p.oid) as entry from pg_proc p
 where p.pronamespace = to_regnamespace($1) order by p.proname, pg_get_function_arguments(p.oid)`;

const TRIGGERS = `
select pg_get_triggerdef(t.oid) || ';' || case when t.tgenabled = 'O' then '' else ' -- ' || t.tgenabled::text end as entry
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
 where c.relnamespace = to_regnamespace($1) and not t.tgisinternal order by c.relname, t.tgname`;

const ROW_SECURITY = `
select format('%I: %s', c.relname,
         case when not c.relrowsecurity then 'none' when c.relforcerowsecurity then 'forced' else 'enabled' end)
       || coalesce((
         select string_agg(format(E'\\n  policy %I for %s to %s%s%s', p.polname,
                  case p.polcmd when '*' then 'all' when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' else 'delete' end,
                  (select string_agg(pg_get_userbyid(r), ', ' order by r) from unnest(p.polroles) r),
                  coalesce(' using ' || pg_get_expr(p.polqual, p.polrelid), ''),
                  coalesce(' check ' || pg_get_expr(p.polwithcheck, p.polrelid), '')), '' order by p.polname)
           from pg_policy p where p.polrelid = c.oid), '') as entry
  from pg_class c where c.relnamespace = to_regnamespace($1) and c.relkind in ('r', 'p') order by c.relname`;

const RIGHTS_OF_TABLES = `
select format('%I: %s', c.relname, ${rights('c.relacl', 'c.relowner', 'r')}) as entry
  from pg_class c where c.relnamespace = to_regnamespace($1) and c.relkind in ('r', 'p', 'v') order by c.relname`;

const RIGHTS_OF_ROUTINES = `
select format('%I: %s', p.proname, ${rights('p.proacl', 'p.proowner', 'f')}) as entry
  from pg_proc p where p.pronamespace = to_regnamespace($1) order by p.proname, pg_get_function_arguments(p.oid)`;

const RIGHTS_OF_SCHEMA = `
select format('%I: %s', n.nspname, ${rights('n.nspacl', 'n.nspowner', 'n')}) as entry from pg_namespace n where n.nspname = $1`;

/** Title and query, in the order of the dump. */
export const SECTIONS: readonly (readonly [title: string, query: string])[] = [
  ['Tables and types', TABLES],
  ['Constraints', CONSTRAINTS],
  ['Indexes', INDEXES],
  ['Functions, without their bodies, which are in prisma/routines', ROUTINES],
  ['Views', VIEWS],
  ['Triggers', TRIGGERS],
  ['Row security', ROW_SECURITY],
  ['Rights: schema', RIGHTS_OF_SCHEMA],
  ['Rights: tables and views', RIGHTS_OF_TABLES],
  ['Rights: functions', RIGHTS_OF_ROUTINES],
];

export const BODY_SECTION = ['Bodies of functions', BODIES] as const;
