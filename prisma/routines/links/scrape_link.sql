-- owner: worker
-- Enqueues `scrape` for a new link, in the transaction that inserts it, on every way in: the API, a webhook
-- or a program with SQL.
create or replace function millrace.scrape_link() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set row_security = on as $$
declare
  v_definition record;
begin
  select d.id, d.is_active, d.max_attempts into v_definition from millrace.job_definitions d where d.key = 'scrape';
  if v_definition.id is null or not v_definition.is_active then
    raise exception 'millrace.links: job definition scrape is %', case when v_definition.id is null then 'not there' else 'not active' end
      using errcode = 'object_not_in_prerequisite_state', column = 'url',
            hint = 'Start a worker or a server once, which declares it; or restore it.';
  end if;
  insert into millrace.jobs (id, tenant_id, definition_id, source, payload, dedupe_key, subject_type, subject_id, scheduled_for, queued_at,
                             max_attempts, created_by)
  values (uuidv7(), new.tenant_id, v_definition.id, 'system', jsonb_build_object('link_id', new.id),
          'millrace:scrape:' || new.id, 'link', new.id::text, clock_timestamp(), clock_timestamp(), v_definition.max_attempts,
          new.created_by);
  return null;
end $$;

revoke all on function millrace.scrape_link from public;
grant execute on function millrace.scrape_link to :"api";
