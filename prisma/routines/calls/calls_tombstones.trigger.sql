-- needs: leave_call_tombstones
create or replace trigger calls_tombstones after delete on millrace.calls
referencing old table as gone for each statement execute function millrace.leave_call_tombstones();
