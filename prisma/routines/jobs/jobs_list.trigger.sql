-- Holds up the INSERT until all are listed: some 4 s for each million of jobs.
create or replace trigger jobs_list after insert on millrace.jobs referencing new table as fresh
for each statement execute function millrace.list_jobs();
