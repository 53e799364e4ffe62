-- Requests that carry an Idempotency-Key: who sent what under which key, and what they were answered, for a day.
create table millrace.idempotency_keys (
  tenant_id    uuid not null references millrace.tenants (id) on delete cascade,
  -- Who sent it, as `created_by` has it.
  credential   text not null check (length(credential) <= 300),
  key          text not null check (length(key) between 1 and 255),
  -- SHA-256 of method, path and body.
  fingerprint  text not null check (length(fingerprint) <= 100),
  -- The request that carries it out; one that takes over has another.
  owner        uuid not null,
  -- Set in the transaction that wrote what was asked for.
  is_done      boolean not null default false,
  status       smallint,
  headers      jsonb,
  body         text,
  locked_until timestamptz not null,
  expires_at   timestamptz not null,
  primary key (tenant_id, credential, key)
);
create index idempotency_keys_expires_idx on millrace.idempotency_keys (expires_at);
