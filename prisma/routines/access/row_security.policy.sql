-- needs: current_tenant_id
-- Who may see and do what: the one place for all tables and views.
--   api     the API: sees and writes the rows of the tenant that its transaction names, and no others
--   worker  the queue's statements and the feed: cross tenants
--   admin   reads of super-admins: cross tenants, never write
-- The login that connects becomes one of the three in each transaction, and has no rights of its own. FORCE:
-- neither has the tables' owner. Foreign keys are checked by Postgres past row security.
--
-- A table with a tenant's rows is listed here with the column that names the tenant, or
-- test/db/row-security.test.ts fails. A new table begins with no rights for anybody. `maintain` lets the
-- maintenance leader analyze and vacuum what it has pruned.
do $$
declare
  v_prefix constant text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace');
  v_api    constant text := v_prefix || '_api';
  v_worker constant text := v_prefix || '_worker';
  v_admin  constant text := v_prefix || '_admin';
  v        record;
  p        record;
begin
  for v in
    select * from (values
      -- name, the tenant's column, what of its rows the API may reach, then each role's rights
      ('api_keys',            'tenant_id', 'all',    'select, insert, update',         'select, delete',                             'select'),
      ('api_key_uses',        'tenant_id', 'all',    'select',                         'select, insert, update, delete',             'select'),
      ('app_events',         'tenant_id', 'all',    'select, insert',                 'select, insert, update, delete',             'select'),
      ('artifacts',           'tenant_id', 'all',    'select, insert, update, delete', 'select, insert, update, delete',             'select'),
      ('audit_log',           'tenant_id', 'all',    'select, insert',                 'select, insert, delete',                     'select'),
      ('bulk_actions',        'tenant_id', 'all',    'select, insert, update',         'select, update, delete',                     'select'),
      ('call_analyses',       'tenant_id', 'all',    'select, insert, delete',         'select, delete',                             'select'),
      ('call_transcripts',    'tenant_id', 'all',    'select, insert, delete',         'select, delete',                             'select'),
      ('call_turns',          'tenant_id', 'all',    'select, insert, delete',         'select, delete',                             'select'),
      ('call_words',          'tenant_id', 'all',    'select, insert',                 'select, delete',                             'select'),
      ('calls',               'tenant_id', 'all',    'select, insert, update, delete', 'select, update, delete',                     'select'),
      ('clips',               'tenant_id', 'all',    'select, insert, update, delete', 'select, update, delete',                     'select'),
      ('deleted_job_logs',    null,        null,     '',                               'select, insert, update, delete',             ''),
      ('deleted_media',       'tenant_id', 'all',    'select, insert',                 'select, insert, update, delete',             'select'),
      ('entities',            'tenant_id', 'all',    'select, insert, update, delete', 'select, insert, update, delete',             'select'),
      ('idempotency_keys',    'tenant_id', 'all',    'select, insert, update, delete', 'select, insert, update, delete',             ''),
      ('job_attempts',        null,        null,     'select',                         'select, insert',                             'select'),
      ('job_files',           'tenant_id', 'all',    'select',                         'select, insert, update, delete',             'select'),
      ('job_log_lines',       'tenant_id', 'all',    'select',                         'select, insert, delete',                     'select'),
      ('job_progress',        'tenant_id', 'all',    'select',                         'select, insert, update, delete, maintain',   'select'),
      ('job_tombstones',      'tenant_id', 'all',    'select',                         'select, insert, update, delete',             'select'),
      ('job_workers',         null,        null,     '',                               'select, insert, update, delete',             'select'),
      ('lane_limits',         'tenant_id', 'all',    'select, insert, update, delete', 'select, insert, update, delete',             'select'),
      ('limit_gates',         'tenant_id', 'all',    'select',                         'select, insert, update, delete',             'select'),
      ('link_hosts',          null,        null,     '',                               'select, insert, update, delete',             ''),
      ('link_texts',          'tenant_id', 'all',    'select, insert, update, delete', 'select, delete',                             'select'),
      ('link_vectors',        'tenant_id', 'all',    'select, insert, update, delete', 'select, delete, maintain',                   'select'),
      ('links',               'tenant_id', 'all',    'select, insert, update, delete', 'select, insert, update, delete',             'select'),
      ('maintenance_duties',  null,        null,     '',                               'select, insert, update',                     'select'),
      ('maintenance_leader',  null,        null,     '',                               'select, update',                             'select'),
      ('media_tombstones',    'tenant_id', 'all',    'select, insert',                 'select, insert, update, delete',             'select'),
      ('ocr_frames',          'tenant_id', 'all',    'select, insert, update, delete', 'select, insert, update, delete',             'select'),
      ('retention_positions', 'tenant_id', 'select', '',                               'select, insert, update, delete',             'select'),
      ('revocations',         'tenant_id', 'all',    'select, insert, update',         'select, delete',                             'select'),
      ('search_materialized', 'tenant_id', 'all',    '',                               'select, insert, update, delete',             'select'),
      ('search_pending',      'tenant_id', 'all',    '',                               'select, insert, update, delete',             'select'),
      ('search_videos',       'tenant_id', 'all',    '',                               'select, insert, update, delete',             'select'),
      ('search_words',        'tenant_id', 'all',    '',                               'select, insert, update, delete',             'select'),
      ('segments',            'tenant_id', 'all',    'select, insert, update, delete', 'select, insert, update, delete',             'select'),
      ('stored_attempts',     'tenant_id', 'all',    'select',                         'select, insert, update, delete, maintain',   'select'),
      ('stored_usage_events', 'tenant_id', 'all',    'select',                         'select, insert, delete',                     'select'),
      ('tenant_members',      'tenant_id', 'all',    'select, insert, update, delete', 'select, delete',                             'select'),
      ('trigger_runs',       'tenant_id', 'all',    'select, insert',                 'select, insert, update, delete',             'select'),
      ('triggers',           'tenant_id', 'all',    'select, insert, update, delete', 'select, update, delete',                     'select'),
      ('uploads',             'tenant_id', 'all',    'select, insert, update, delete', 'select, update, delete',                     'select'),
      ('usage_amounts',       'tenant_id', 'all',    'select, insert, update',         'select, delete',                             'select'),
      ('usage_days',          'tenant_id', 'all',    'select',                         'select, insert, update, delete',             'select'),
      ('usage_events',        null,        null,     'select',                         'select, insert, delete',                     'select'),
      ('usage_rollup',        null,        null,     'select',                         'select, update',                             'select'),
      ('video_puts',          'tenant_id', 'select', 'select',                         'select, insert, update, delete',             'select'),
      ('videos',              'tenant_id', 'all',    'select, insert, update, delete', 'select, insert, update, delete',             'select'),
      ('webhook_deliveries',  'tenant_id', 'all',    'select',                         'select, insert, delete',                     'select'),
      ('webhook_endpoints',   'tenant_id', 'all',    'select, insert, update, delete', 'select, update, delete',                     'select'),
      ('webhook_receipts',    'tenant_id', 'all',    'select, insert',                 'select, insert, delete',                     ''),
      ('webhook_secrets',     'tenant_id', 'all',    'select, insert, update, delete', 'select, delete',                             ''),
      ('webhook_sources',     'tenant_id', 'all',    'select, insert, update, delete', 'select, update, delete',                     'select'),
      -- An enqueue waits from here on until the commit: last.
      ('job_definitions',     null,        null,     'select',                         'select, insert, update',                     'select'),
      ('job_dependencies',    'tenant_id', 'all',    'select, insert',                 'select, insert, delete, maintain',           'select'),
      ('tenants',             'id',        'all',    'select',                         'select, insert, update, delete',             'select'),
      ('tenant_jobs',         'tenant_id', 'select', 'select',                         'select, insert, delete, truncate, maintain', 'select'),
      ('jobs',                'tenant_id', 'all',    'select, insert, update',         'select, insert, update, delete, maintain',   'select')
    ) t (name, tenant_column, tenant_rows, api_rights, worker_rights, admin_rights)
  loop
    execute format('revoke all on millrace.%I from %I, %I, %I', v.name, v_api, v_worker, v_admin);
    if v.api_rights <> '' then execute format('grant %s on millrace.%I to %I', v.api_rights, v.name, v_api); end if;
    if v.worker_rights <> '' then execute format('grant %s on millrace.%I to %I', v.worker_rights, v.name, v_worker); end if;
    if v.admin_rights <> '' then execute format('grant %s on millrace.%I to %I', v.admin_rights, v.name, v_admin); end if;

    continue when v.tenant_column is null;
    -- Each of these holds the table for a moment, so what is there already stays.
    if not (select c.relrowsecurity and c.relforcerowsecurity from pg_class c where c.oid = format('millrace.%I', v.name)::regclass) then
      execute format('alter table millrace.%I enable row level security, force row level security', v.name);
    end if;
    for p in
      -- (select …) makes the tenant an InitPlan: read once a statement, and an index condition like any
      -- constant.
      select * from (values
        ('tenant', v.tenant_rows, v_api,    format('(%I = ( SELECT millrace.current_tenant_id() AS current_tenant_id))', v.tenant_column)),
        ('worker', 'all',         v_worker, 'true'),
        ('admin',  'select',      v_admin,  'true')
      ) t (name, command, role, condition)
    loop
      continue when exists (
        select from pg_policy x
        where x.polrelid = format('millrace.%I', v.name)::regclass and x.polname = p.name and x.polroles = array[p.role::regrole::oid]
          and x.polcmd = case p.command when 'all' then '*' else 'r' end
          and pg_get_expr(x.polqual, x.polrelid) = p.condition
          and pg_get_expr(x.polwithcheck, x.polrelid) is not distinct from case p.command when 'all' then p.condition end);
      execute format('drop policy if exists %I on millrace.%I', p.name, v.name);
      execute format('create policy %I on millrace.%I for %s to %I using %s%s', p.name, v.name, p.command, p.role,
                     '(' || p.condition || ')', case p.command when 'all' then ' with check (' || p.condition || ')' else '' end);
    end loop;
  end loop;

  -- A holder of the worker's login removes no trace of what was just done; retention is counted in days.
  if not exists (select from pg_policy x where x.polrelid = 'millrace.audit_log'::regclass and x.polname = 'old_only') then
    execute format('create policy old_only on millrace.audit_log as restrictive for delete to %I '
                   || 'using (created_at < now() - interval ''1 day'')', v_worker);
  end if;

  -- A program with SQL inserts links of the tenant that its transaction names: grants say which logins may.
  -- It reads nothing by that.
  if not exists (select from pg_policy x where x.polrelid = 'millrace.links'::regclass and x.polname = 'insert_only') then
    create policy insert_only on millrace.links for insert to public with check (tenant_id = (select millrace.current_tenant_id()));
  end if;
end $$;
