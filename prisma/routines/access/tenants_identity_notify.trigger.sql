create or replace trigger tenants_identity_notify after update of deleted_at on millrace.tenants for each row
when (old.deleted_at is distinct from new.deleted_at)
execute function millrace.notify_tenant_change();
