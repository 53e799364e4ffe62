-- One active job per subject, of a definition that asks for it (isSinglePerSubject), on every way in and with
-- any key: it gets the key that pipelines give such jobs, of which the index jobs_active_dedupe_idx allows
-- one. Index: job_definitions_pkey.
create or replace function millrace.keep_single_subject() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  new.dedupe_key := coalesce(
    (select 'millrace:' || d.key || ':' || new.subject_id from millrace.job_definitions d
     where d.id = new.definition_id and (d.declared ->> 'isSinglePerSubject')::boolean),
    new.dedupe_key);
  return new;
end $$;
