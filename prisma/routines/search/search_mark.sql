-- What every word of a tenant begins with in text vectors. Two tenants may share one: it is no fence, only a
-- shelf.
create or replace function millrace.search_mark(p_tenant_id uuid) returns text
language sql immutable parallel safe
return left(md5(p_tenant_id::text), 6);
