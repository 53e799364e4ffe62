-- What a new link begins as, on every way in: the transaction's tenant unless one is named, pending, and by
-- whom.
create or replace function millrace.begin_link() returns trigger
language plpgsql volatile
set search_path = pg_catalog, pg_temp as $$
begin
  new.tenant_id := coalesce(new.tenant_id, millrace.current_tenant_id());
  if new.tenant_id is null then
    raise exception 'millrace.links: tenant_id is missing' using errcode = 'invalid_parameter_value', column = 'tenant_id',
      hint = 'Set millrace.tenant_id for the transaction.';
  end if;
  if new.url !~* '^https?://[^[:space:]/]' then
    raise exception 'millrace.links: url is no http:// or https:// URL' using errcode = 'invalid_parameter_value', column = 'url';
  end if;
  new.status := 'pending';
  new.created_by := coalesce(new.created_by, 'sql:' || session_user);
  new.changed_xid := pg_current_xact_id();
  return new;
end $$;
