-- A parent that has ended without success. One that was skipped counts as success for its own children.
create or replace function millrace.ended_badly(p_status text, p_reason text) returns boolean
language sql immutable parallel safe
return p_status in ('failed', 'dead_letter') or (p_status = 'canceled' and p_reason is distinct from 'skipped');
