create or replace trigger links_bury after delete on millrace.links
referencing old table as gone for each statement execute function millrace.bury_links();
