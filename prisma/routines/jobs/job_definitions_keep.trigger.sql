create or replace trigger job_definitions_keep before delete on millrace.job_definitions for each row
execute function millrace.refuse_delete_with_jobs();
