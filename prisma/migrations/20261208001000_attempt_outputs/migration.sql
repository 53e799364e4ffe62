-- What a program has left is kept with its attempt, of those that succeeded too, and a run that its worker's stop has interrupted is on record.

alter table millrace.stored_attempts add column pid integer, add column signal text;
alter table millrace.stored_attempts drop constraint job_attempts_status_check;
alter table millrace.stored_attempts add constraint stored_attempts_status_check
  check (status in ('succeeded', 'skipped', 'failed', 'timeout', 'canceled', 'lost', 'interrupted'));
