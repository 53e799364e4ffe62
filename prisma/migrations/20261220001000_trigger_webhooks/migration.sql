-- A version of what can be changed, for If-Match.
alter table millrace.webhook_endpoints add column version bigint not null default 1;
alter table millrace.webhook_sources add column version bigint not null default 1;

-- A URL of one trigger: what comes in there is an event for it alone.
alter table millrace.webhook_sources add column trigger_id uuid references millrace.triggers (id) on delete cascade;
create unique index webhook_sources_trigger_idx on millrace.webhook_sources (trigger_id) where trigger_id is not null;
alter table millrace.app_events add column trigger_id uuid;
