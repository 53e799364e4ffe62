-- Who may see and do what. The program makes the three roles beforehand (they belong to the whole cluster) and sets
-- millrace.role_prefix; without the setting their names begin with `millrace`.
--   <prefix>_api     the API: sees and writes only the tenant that its transaction names
--   <prefix>_worker  queue verbs, feed: crosses tenants
--   <prefix>_admin   super-admin reads: crosses tenants, never writes
-- FORCE: the tables' owner gets no way round either. Foreign keys are checked by Postgres past row security.

alter table millrace.tenants        enable row level security, force row level security;
alter table millrace.tenant_members enable row level security, force row level security;
alter table millrace.api_keys       enable row level security, force row level security;
alter table millrace.revocations    enable row level security, force row level security;
alter table millrace.jobs           enable row level security, force row level security;
alter table millrace.job_attempts   enable row level security, force row level security;
alter table millrace.job_progress   enable row level security, force row level security;
alter table millrace.job_tombstones enable row level security, force row level security;
alter table millrace.videos         enable row level security, force row level security;
alter table millrace.artifacts      enable row level security, force row level security;

-- The tenant that a transaction names, or NULL: after a transaction-local setting a pooled connection has '' there.
create function millrace.current_tenant_id() returns uuid
language sql stable parallel safe
return nullif(current_setting('millrace.tenant_id', true), '')::uuid;

do $$
declare
  v_prefix text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace');
  v_api    text := v_prefix || '_api';
  v_worker text := v_prefix || '_worker';
  v_admin  text := v_prefix || '_admin';
  v_table  text;
  v_column text;
begin
  execute format('grant usage on schema millrace to %I, %I, %I', v_api, v_worker, v_admin);

  foreach v_table in array array['tenants', 'tenant_members', 'api_keys', 'revocations', 'jobs', 'job_attempts',
                                 'job_progress', 'job_tombstones', 'videos', 'artifacts'] loop
    v_column := case v_table when 'tenants' then 'id' else 'tenant_id' end;
    -- (select …) makes the tenant an InitPlan: read once a statement, and an index condition like any constant.
    execute format('create policy tenant on millrace.%I for all to %I
                      using (%I = (select millrace.current_tenant_id()))
                      with check (%I = (select millrace.current_tenant_id()))', v_table, v_api, v_column, v_column);
    execute format('create policy worker on millrace.%I for all to %I using (true) with check (true)', v_table, v_worker);
    execute format('create policy admin on millrace.%I for select to %I using (true)', v_table, v_admin);
    execute format('grant select on millrace.%I to %I, %I, %I', v_table, v_api, v_worker, v_admin);
  end loop;

  execute format('grant select on millrace.job_definitions, millrace.job_workers to %I, %I', v_worker, v_admin);
  execute format('grant select on millrace.job_definitions to %I', v_api);

  execute format('grant insert, update on millrace.tenant_members, millrace.api_keys, millrace.revocations,
                    millrace.jobs, millrace.videos to %I', v_api);
  execute format('grant delete on millrace.tenant_members to %I', v_api);
  -- A queued job that is canceled ends without a worker: the API applies its effects itself.
  execute format('grant insert, update on millrace.artifacts to %I', v_api);

  execute format('grant insert, update on millrace.job_definitions, millrace.job_attempts, millrace.job_progress,
                    millrace.job_tombstones, millrace.job_workers, millrace.artifacts, millrace.videos,
                    millrace.tenants to %I', v_worker);
  execute format('grant insert, update, delete on millrace.jobs to %I', v_worker);
  execute format('grant delete on millrace.job_progress, millrace.job_tombstones, millrace.job_workers to %I', v_worker);
end $$;

-- A key is looked up before any tenant is known, so this one read crosses tenants. It answers only to whoever
-- already holds the key, of which `p_key_hash` is the SHA-256.
create function millrace.find_api_key(p_key_hash bytea)
returns table (id uuid, tenant_id uuid, role text, expires_at timestamptz, revoked_at timestamptz, tenant_deleted_at timestamptz)
language sql stable security definer set search_path = ''
begin atomic
  select k.id, k.tenant_id, k.role, k.expires_at, k.revoked_at, t.deleted_at
  from millrace.api_keys k join millrace.tenants t on t.id = k.tenant_id
  where k.key_hash = p_key_hash;
end;

do $$
declare
  v_prefix text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace');
begin
  -- Owned by the worker role: as the tables' owner it would see no row (FORCE), as anybody else it could be replaced.
  execute format('grant create on schema millrace to %I', v_prefix || '_worker');
  execute format('alter function millrace.find_api_key(bytea) owner to %I', v_prefix || '_worker');
  execute format('revoke create on schema millrace from %I', v_prefix || '_worker');
  execute 'revoke all on function millrace.find_api_key(bytea) from public';
  execute format('grant execute on function millrace.find_api_key(bytea) to %I', v_prefix || '_api');
end $$;
