-- The columns are the trigger's arguments.
create or replace function millrace.check_named_jobs() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
  v_column text;
  v_job_id uuid;
begin
  foreach v_column in array tg_argv loop
    v_job_id := to_jsonb(new) ->> v_column;
    -- Held until the end of the transaction, as a foreign key does: who deletes the job meanwhile waits, and
    -- then finds this row.
    perform from millrace.jobs j where j.id = v_job_id for key share;
    if v_job_id is not null and not found then
      raise exception '% of % names job %, which does not exist', v_column, tg_table_name, v_job_id
        using errcode = 'foreign_key_violation', schema = 'millrace', table = tg_table_name, column = v_column;
    end if;
  end loop;
  return new;
end $$;
