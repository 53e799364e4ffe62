-- owner: worker
-- Where no trigger of any tenant listens to the ends of jobs, this is one look at an index for each
-- statement; where other tenants' do, one for each tenant of the transaction. Always by index: the tables may
-- have grown since the plan was made.
create or replace function millrace.write_job_events() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp set row_security = on set enable_seqscan = off as $$
declare
  v_tenant    uuid;
  v_listening uuid[] := '{}';
begin
  if not exists (select from millrace.triggers t where t.kind = 'event' and t.is_enabled and split_part(t.event_pattern, '.', 1) = 'job') then
    return null;
  end if;
  -- From tenant to tenant of what this transaction has changed. Index: jobs_changed_idx.
  select j.tenant_id into v_tenant from millrace.jobs j
  where j.changed_xid = pg_current_xact_id() and j.changed_xid > '0'::xid8 order by j.changed_xid, j.tenant_id limit 1;
  while v_tenant is not null loop
    if exists (select from millrace.triggers t
               where t.kind = 'event' and t.is_enabled and split_part(t.event_pattern, '.', 1) = 'job' and t.tenant_id = v_tenant) then
      v_listening := v_listening || v_tenant;
    end if;
    v_tenant := (select j.tenant_id from millrace.jobs j
                 where j.changed_xid = pg_current_xact_id() and j.changed_xid > '0'::xid8 and j.tenant_id > v_tenant
                 order by j.changed_xid, j.tenant_id limit 1);
  end loop;
  if cardinality(v_listening) > 0 then
    perform millrace.insert_job_events(v_listening);
  end if;
  return null;
end $$;

revoke all on function millrace.write_job_events from public;
