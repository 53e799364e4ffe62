-- Not at an insert: nobody can have come in with a key that was not there.
create or replace trigger api_keys_notify after update or delete on millrace.api_keys for each row
execute function millrace.notify_identity_change();
