create or replace trigger jobs_labels_update before update of tags, metadata on millrace.jobs
for each row execute function millrace.check_job_labels();
