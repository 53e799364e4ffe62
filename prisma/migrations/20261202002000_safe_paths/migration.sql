-- An empty search_path is not a closed one: Postgres still looks for types and relations in the caller's temporary schema, and before
-- pg_catalog. Who could call millrace.enqueue alone could so put a domain of his own in place of timestamptz, whose check then ran as the
-- function's owner. Named last, pg_temp comes after pg_catalog, and nothing of ours is named without its schema.
--
-- Every routine that runs as its owner has this path, and every trigger function: Postgres 18 runs a deferred trigger as the role that
-- queued its event, at a commit where the path is the caller's again. What else they call runs under their path. Routines that run as
-- their caller keep the caller's: they can do nothing that the caller could not, and a setting costs each call some microseconds.
--
-- row_security: a session that has it off gets an error in place of the rows that policies let through.

do $$
declare
  v_prefix  constant text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace');
  v_login   constant text := current_setting('role');
  v_routine record;
begin
  for v_routine in
    select p.oid::regprocedure as name, p.prosecdef as is_definer, p.proowner = (v_prefix || '_worker')::regrole as is_workers
    from pg_proc p
    where p.pronamespace = 'millrace'::regnamespace
      and (p.prosecdef or p.prorettype = 'trigger'::regtype or exists (select from unnest(p.proconfig) c where c like 'search_path=%'))
  loop
    -- The login may become the worker role, but has none of its rights by itself.
    if v_routine.is_workers then
      perform set_config('role', v_prefix || '_worker', true);
    end if;
    execute format('alter routine %s set search_path = pg_catalog, pg_temp', v_routine.name);
    if v_routine.is_definer then
      execute format('alter routine %s set row_security = on', v_routine.name);
    end if;
    perform set_config('role', v_login, true);
  end loop;
end $$;
