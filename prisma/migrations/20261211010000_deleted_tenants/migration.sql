-- Tenants that are being deleted: few, and looked for again and again.
create index tenants_deleted_idx on millrace.tenants (deleted_at) where deleted_at is not null;
