-- Made by `npm run docs`: what `millrace roles --sql --login millrace_app` prints. deploy/postgres-init.sh runs it.
do $$ begin
  if not exists (select from pg_roles where rolname = 'millrace_api') then
    create role millrace_api nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  if not exists (select from pg_auth_members m join pg_roles g on g.oid = m.roleid join pg_roles u on u.oid = m.member
                 where g.rolname = 'millrace_api' and u.rolname = 'millrace_app' and m.set_option) then
    grant millrace_api to "millrace_app" with inherit false, set true;
  end if;
end $$;
do $$ begin
  if not exists (select from pg_roles where rolname = 'millrace_worker') then
    create role millrace_worker nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  if not exists (select from pg_auth_members m join pg_roles g on g.oid = m.roleid join pg_roles u on u.oid = m.member
                 where g.rolname = 'millrace_worker' and u.rolname = 'millrace_app' and m.set_option) then
    grant millrace_worker to "millrace_app" with inherit false, set true;
  end if;
end $$;
do $$ begin
  if not exists (select from pg_roles where rolname = 'millrace_admin') then
    create role millrace_admin nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  if not exists (select from pg_auth_members m join pg_roles g on g.oid = m.roleid join pg_roles u on u.oid = m.member
                 where g.rolname = 'millrace_admin' and u.rolname = 'millrace_app' and m.set_option) then
    grant millrace_admin to "millrace_app" with inherit false, set true;
  end if;
end $$;
do $$
declare v_role text;
begin
  foreach v_role in array array['public', 'millrace_api', 'millrace_worker', 'millrace_admin'] loop
    if has_database_privilege(v_role, current_database(), 'TEMPORARY') then
      execute format('revoke temporary on database %I from %s', current_database(), v_role);
    end if;
  end loop;
exception when insufficient_privilege then null;
end $$;
