-- Who may come in, seen at once: keys that do less than their role, and a bell that open streams hear when somebody's right to
-- them changes.

-- Keys and members --------------------------------------------------------------------------------------------------

alter table millrace.api_keys
  -- Narrows the role: `jobs:read`, `videos:write` … Empty: all that the role may. A word that the API does not know grants nothing.
  add column scopes text[] not null default '{}',
  -- True: takes operations by the id that they were registered under, and no other text.
  add column persisted_only boolean not null default false;

-- Pages go by the id, which grows with time.
drop index millrace.api_keys_tenant_idx;
create index api_keys_tenant_idx on millrace.api_keys (tenant_id, id);

-- A person's `sub` is any text, and no page's cursor: members are listed by a key of their own that grows with time.
alter table millrace.tenant_members add column id uuid not null default uuidv7();
create index tenant_members_id_idx on millrace.tenant_members (tenant_id, id);

-- The result has two columns more, so it is another function.
drop function millrace.find_api_key(bytea);
create function millrace.find_api_key(p_key_hash bytea)
returns table (id uuid, tenant_id uuid, role text, scopes text[], persisted_only boolean, expires_at timestamptz, revoked_at timestamptz)
language sql stable security definer set search_path = ''
begin atomic
  select k.id, k.tenant_id, k.role, k.scopes, k.persisted_only, k.expires_at, k.revoked_at
  from millrace.api_keys k
  where k.key_hash = p_key_hash;
end;

do $$
declare
  v_prefix text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace');
begin
  execute format('grant create on schema millrace to %I', v_prefix || '_worker');
  execute format('alter function millrace.find_api_key(bytea) owner to %I', v_prefix || '_worker');
  execute format('revoke create on schema millrace from %I', v_prefix || '_worker');
  execute 'revoke all on function millrace.find_api_key(bytea) from public';
  execute format('grant execute on function millrace.find_api_key(bytea) to %I', v_prefix || '_api');
end $$;

-- Revocations --------------------------------------------------------------------------------------------------------
-- One look asks for thousands of credentials at once; by tenant alone each would read all that its tenant ever revoked.

create index revocations_subject_idx on millrace.revocations (tenant_id, subject, not_before) where subject is not null;
create index revocations_token_idx on millrace.revocations (tenant_id, token_id, not_before) where token_id is not null;

-- The bell -----------------------------------------------------------------------------------------------------------
-- In the writer's transaction, whoever it is: these rows change seldom, so NOTIFY's lock at commit costs nobody anything, and no
-- writer can forget it. The payload is the tenant, so that a busy tenant's changes are not looked up for all the others; Postgres
-- sends equal ones of a transaction once.

create function millrace.ring_identity_bell() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_catalog.pg_notify('millrace_identity', coalesce(new.tenant_id, old.tenant_id)::text);
  return null;
end $$;

create function millrace.ring_tenant_bell() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_catalog.pg_notify('millrace_identity', new.id::text);
  return null;
end $$;

create trigger tenant_members_bell after insert or update or delete on millrace.tenant_members for each row
execute function millrace.ring_identity_bell();
create trigger revocations_bell after insert or update or delete on millrace.revocations for each row
execute function millrace.ring_identity_bell();
-- Not at an insert: nobody can have come in with a key that was not there.
create trigger api_keys_bell after update or delete on millrace.api_keys for each row
execute function millrace.ring_identity_bell();
create trigger tenants_identity_bell after update of deleted_at on millrace.tenants for each row
when (old.deleted_at is distinct from new.deleted_at)
execute function millrace.ring_tenant_bell();
