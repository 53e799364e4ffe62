-- The tenant that a transaction names, or NULL: after a transaction-local setting a pooled connection has ''
-- there.
create or replace function millrace.current_tenant_id() returns uuid
language sql stable parallel safe
return nullif(current_setting('millrace.tenant_id', true), '')::uuid;
