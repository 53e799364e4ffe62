create or replace trigger links_tombstones after delete on millrace.links
referencing old table as gone for each statement execute function millrace.leave_link_tombstones();
