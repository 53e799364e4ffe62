create or replace trigger revocations_notify after insert or update or delete on millrace.revocations for each row
execute function millrace.notify_identity_change();
