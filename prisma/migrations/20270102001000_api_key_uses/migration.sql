-- When each key was last used: beside its row, whose changes end streams.
create table millrace.api_key_uses (
  key_id       uuid not null,
  tenant_id    uuid not null,
  last_used_at timestamptz not null,
  constraint api_key_uses_pkey primary key (key_id),
  constraint api_key_uses_key_id_fkey foreign key (key_id) references millrace.api_keys(id) on delete cascade
);
