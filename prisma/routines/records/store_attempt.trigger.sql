create or replace trigger store_attempt instead of insert on millrace.job_attempts for each row execute function millrace.store_attempt();
