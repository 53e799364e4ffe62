-- Up to where retention has looked through a tenant's finished jobs of one retention, so that a new leader does not begin anew.
create table millrace.retention_positions (
  tenant_id      uuid        not null references millrace.tenants (id) on delete cascade,
  seconds        bigint      not null,
  -- What the position is true of: a definition that joins later and is older is looked for from the beginning.
  definition_ids uuid[]      not null,
  position       timestamptz not null,
  -- Jobs before the position that were due and could not go, since others wait for them, are looked for again then.
  look_again_at  timestamptz,
  primary key (tenant_id, seconds)
);

-- When each of the leader's duties was last done, by whichever process.
create table millrace.maintenance_duties (
  name            text        primary key check (length(name) between 1 and 100),
  every_seconds   float8      not null,
  ended_at        timestamptz not null,
  worked_ms       bigint      not null default 0,
  failure_count   integer     not null default 0,
  error           text        check (length(error) <= 500),
  -- How far behind it is, where it can say so.
  lag_seconds     float8
);
