-- A job that is due later lies apart from those that are ready, so that a claim does not read lanes that have nothing due. Set by a trigger,
-- cleared when the job is due. Cannot run beside the previous version of the program: its claims do not know the column.
alter table millrace.jobs add column is_delayed boolean not null default false;
