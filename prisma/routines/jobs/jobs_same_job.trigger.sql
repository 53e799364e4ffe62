create or replace trigger jobs_same_job before update of id, tenant_id on millrace.jobs for each row execute function millrace.check_job_move();
