-- Calls that are being worked on: what a stream of calls that goes on from a cursor looks at beside what has changed.
create index calls_in_work_idx on millrace.calls (tenant_id, id) where status in ('queued', 'transcribing', 'analyzing');
