-- Webhooks: endpoints that events are delivered to, and URLs that turn a POST into an event.

create table millrace.webhook_endpoints (
  id                   uuid primary key default uuidv7(),
  tenant_id            uuid not null references millrace.tenants (id) on delete restrict,
  label                text not null check (length(label) between 1 and 200),
  url                  text not null check (length(url) between 1 and 4096),
  pause_after_seconds  integer not null default 86400 check (pause_after_seconds between 60 and 2592000),
  paused_at            timestamptz,
  pause_reason         text check (length(pause_reason) <= 1000),
  -- Deliveries that failed one after the other, and since when.
  consecutive_failures integer not null default 0,
  failing_since        timestamptz,
  last_delivered_at    timestamptz,
  created_by           text,
  created_at           timestamptz not null default clock_timestamp(),
  updated_at           timestamptz not null default clock_timestamp()
);
create index webhook_endpoints_tenant_idx on millrace.webhook_endpoints (tenant_id, id);

create table millrace.webhook_sources (
  id               uuid primary key default uuidv7(),
  tenant_id        uuid not null references millrace.tenants (id) on delete restrict,
  label            text not null check (length(label) between 1 and 200),
  event_name       text not null check (length(event_name) between 1 and 200),
  verification     text not null check (verification in ('standard', 'github', 'token')),
  is_enabled       boolean not null default true,
  received_count   bigint not null default 0,
  last_received_at timestamptz,
  created_by       text,
  created_at       timestamptz not null default clock_timestamp(),
  updated_at       timestamptz not null default clock_timestamp()
);
create index webhook_sources_tenant_idx on millrace.webhook_sources (tenant_id, id);

-- Of endpoints and sources alike. Two are good at once while one takes the other's place.
create table millrace.webhook_secrets (
  id         uuid primary key default uuidv7(),
  tenant_id  uuid not null references millrace.tenants (id) on delete restrict,
  owner_id   uuid not null,
  -- As the box of secrets gives it: encrypted where the installation has a key. Of a token its SHA-256 alone.
  secret     jsonb not null,
  expires_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index webhook_secrets_owner_idx on millrace.webhook_secrets (owner_id, id desc);

-- One row an attempt.
create table millrace.webhook_deliveries (
  id           uuid primary key default uuidv7(),
  tenant_id    uuid not null references millrace.tenants (id) on delete restrict,
  endpoint_id  uuid not null references millrace.webhook_endpoints (id) on delete cascade,
  job_id       uuid not null,
  run_no       integer not null,
  message_id   text not null check (length(message_id) <= 255),
  event_name   text not null check (length(event_name) <= 200),
  outcome      text not null check (outcome in ('delivered', 'failed', 'skipped')),
  status_code  integer,
  error        text check (length(error) <= 1000),
  answer       text check (length(answer) <= 2000),
  duration_ms  integer not null default 0,
  attempted_at timestamptz not null default clock_timestamp()
);
create index webhook_deliveries_endpoint_idx on millrace.webhook_deliveries (endpoint_id, id desc);
create index webhook_deliveries_tenant_idx on millrace.webhook_deliveries (tenant_id);

-- Messages that a source has had: the same again makes no second event.
create table millrace.webhook_receipts (
  source_id   uuid not null references millrace.webhook_sources (id) on delete cascade,
  tenant_id   uuid not null references millrace.tenants (id) on delete restrict,
  message_id  text not null check (length(message_id) <= 255),
  event_id    uuid not null,
  received_at timestamptz not null default clock_timestamp(),
  primary key (source_id, message_id)
);
create index webhook_receipts_received_idx on millrace.webhook_receipts (received_at);
create index webhook_receipts_tenant_idx on millrace.webhook_receipts (tenant_id);
