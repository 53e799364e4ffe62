-- Tags and metadata change in any state, so they have a check of their own, which every writer passes.
create or replace function millrace.check_job_labels() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  perform millrace.refuse_job(new.id, null, null, millrace.bad_job_label(new.tags, new.metadata));
  return new;
end $$;
