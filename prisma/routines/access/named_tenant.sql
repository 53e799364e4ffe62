-- owner: worker
-- The tenant that the caller of `p_routine` means, by id or slug, or the transaction's own. Where the
-- transaction names one, or works as the API's role, no other. For routines that run as the workers' role.
-- Every refusal names the argument.
create or replace function millrace.named_tenant(p_routine text, p_tenant text) returns uuid language plpgsql volatile as $$
declare
  -- Who calls: SET ROLE, else the login. (current_user is the routine's owner here.)
  v_caller constant text := coalesce(nullif(current_setting('role'), 'none'), session_user);
  v_api    constant text := regexp_replace(current_user, '_worker$', '_api');
  v_own    constant uuid := millrace.current_tenant_id();
  v_tenant record;
begin
  if p_tenant is null then
    if v_own is null then
      raise exception 'millrace.%: tenant is null; allowed: the slug or id of a tenant, or a transaction with millrace.tenant_id set', p_routine
        using errcode = 'invalid_parameter_value', column = 'tenant';
    end if;
    select t.id, t.deleted_at into v_tenant from millrace.tenants t where t.id = v_own;
  elsif p_tenant ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then
    select t.id, t.deleted_at into v_tenant from millrace.tenants t where t.id = p_tenant::uuid;
  else
    select t.id, t.deleted_at into v_tenant from millrace.tenants t where t.slug = p_tenant;
  end if;
  if v_tenant.id is distinct from v_own
     and (v_own is not null or (pg_has_role(v_caller, v_api, 'usage') and not pg_has_role(v_caller, current_user, 'usage'))) then
    raise exception 'millrace.%: tenant is not the one of this transaction', p_routine using errcode = 'insufficient_privilege', column = 'tenant',
      hint = 'The transaction''s tenant is its setting millrace.tenant_id; omit the argument.';
  end if;
  if v_tenant.id is null or v_tenant.deleted_at is not null then
    raise exception 'millrace.%: there is no tenant %, or it has been deleted', p_routine,
      quote_literal(left(coalesce(p_tenant, v_own::text), 80)) using errcode = 'undefined_object', column = 'tenant';
  end if;
  return v_tenant.id;
end $$;

revoke all on function millrace.named_tenant from public;
