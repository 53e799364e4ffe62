-- Keeps a tenant or a definition that jobs name, as a foreign key would.
create or replace function millrace.refuse_delete_with_jobs() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if (tg_table_name = 'tenants' and exists (select from millrace.tenant_jobs t where t.tenant_id = old.id))
     or (tg_table_name = 'job_definitions' and exists (select from millrace.jobs j where j.definition_id = old.id)) then
    raise exception '% % still has jobs', case tg_table_name when 'tenants' then 'tenant' else 'job definition' end, old.id
      using errcode = 'foreign_key_violation', schema = 'millrace', table = tg_table_name;
  end if;
  return old;
end $$;
