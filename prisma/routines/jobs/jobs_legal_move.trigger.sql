create or replace trigger jobs_legal_move before update on millrace.jobs for each row
when (not (
     (old.lease_token is not null and new.run_no = old.run_no)
  or (old.lease_token is null and old.finished_at is null and new.lease_token is not null and new.run_no = old.run_no + 1)))
execute function millrace.check_job_move();
