create or replace trigger revocations_bell after insert or update or delete on millrace.revocations for each row
execute function millrace.ring_identity_bell();
