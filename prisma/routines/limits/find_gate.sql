-- The row of a limit, or null. Index: the unique one.
create or replace function millrace.find_gate(p_scope text, p_tenant_id uuid, p_definition_id uuid)
returns bigint language plpgsql volatile as $$
begin
  case p_scope
    when 'definition' then
      return (select g.id from millrace.limit_gates g
              where g.scope = p_scope and g.tenant_id is null and g.definition_id = p_definition_id);
    when 'tenant' then
      return (select g.id from millrace.limit_gates g
              where g.scope = p_scope and g.tenant_id = p_tenant_id and g.definition_id is null);
    else
      return (select g.id from millrace.limit_gates g
              where g.scope = p_scope and g.tenant_id = p_tenant_id and g.definition_id = p_definition_id);
  end case;
end $$;
