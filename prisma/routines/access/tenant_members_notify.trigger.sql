create or replace trigger tenant_members_notify after insert or update or delete on millrace.tenant_members for each row
execute function millrace.notify_identity_change();
