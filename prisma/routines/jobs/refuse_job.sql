-- Refuses as the foreign keys and CHECKs would, with their codes and names; each is null where there is
-- nothing to refuse.
create or replace function millrace.refuse_job(p_id uuid, p_lost_tenant uuid, p_lost_definition uuid, p_bad_value text) returns void
language plpgsql as $$
begin
  if p_lost_tenant is not null then
    raise exception 'job % names tenant %, which does not exist', p_id, p_lost_tenant
      using errcode = 'foreign_key_violation', schema = 'millrace', table = 'jobs', column = 'tenant_id';
  elsif p_lost_definition is not null then
    raise exception 'job % names definition %, which does not exist', p_id, p_lost_definition
      using errcode = 'foreign_key_violation', schema = 'millrace', table = 'jobs', column = 'definition_id';
  elsif p_bad_value is not null then
    raise exception 'a value of the job is out of its bounds: jobs_%_check', p_bad_value
      using errcode = 'check_violation', schema = 'millrace', table = 'jobs', constraint = format('jobs_%s_check', p_bad_value);
  end if;
end $$;
