create or replace trigger tenant_members_bell after insert or update or delete on millrace.tenant_members for each row
execute function millrace.ring_identity_bell();
