-- needs: bury_calls
create or replace trigger calls_bury after delete on millrace.calls
referencing old table as gone for each statement execute function millrace.bury_calls();
