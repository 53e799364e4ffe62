create or replace trigger tenants_keep before delete on millrace.tenants for each row execute function millrace.refuse_delete_with_jobs();
