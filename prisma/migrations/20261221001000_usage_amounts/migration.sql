-- What tenants used that is not counted in runs: sound that was transcribed, tokens of language models, and what they cost.
-- One row a tenant, day, definition and unit; written in the transaction that stores what was paid for.
create table millrace.usage_amounts (
  tenant_id      uuid not null,
  -- In UTC.
  day            date not null,
  definition_id  uuid not null,
  unit           text not null,
  amount         bigint not null,
  constraint usage_amounts_pkey primary key (tenant_id, day, definition_id, unit),
  constraint usage_amounts_tenant_id_fkey foreign key (tenant_id) references millrace.tenants(id) on delete restrict,
  constraint usage_amounts_unit_check check (unit in ('audio_ms', 'input_tokens', 'output_tokens', 'cost_micros')),
  constraint usage_amounts_amount_check check (amount >= 0)
);

-- Operations that were begun for a transcript; more than one where one failed, or a crash left unknown whether it had begun.
alter table millrace.call_transcripts add column operation_count integer not null default 1;
-- Price in millionths of the configured currency; null where none is set.
alter table millrace.call_transcripts add column cost_micros bigint;
