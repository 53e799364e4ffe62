-- owner: worker
-- A key is looked up before any tenant is known, so this one read crosses tenants. It answers only to the one
-- that already holds the key, of which `p_key_hash` is the SHA-256.
create or replace function millrace.find_api_key(p_key_hash bytea)
returns table (id uuid, tenant_id uuid, role text, scopes text[], persisted_only boolean, expires_at timestamptz, revoked_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp set row_security = on
begin atomic
  select k.id, k.tenant_id, k.role, k.scopes, k.persisted_only, k.expires_at, k.revoked_at
  from millrace.api_keys k
  where k.key_hash = p_key_hash;
end;

revoke all on function millrace.find_api_key from public;
grant execute on function millrace.find_api_key to :"api";
