-- An operator may empty what a job was given and what came of it. A succeeded job stays as it is otherwise.

alter table millrace.jobs add column redacted_at timestamptz;
