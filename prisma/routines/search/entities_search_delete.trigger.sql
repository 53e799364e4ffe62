create or replace trigger entities_search_delete after delete on millrace.entities referencing old table as changed
for each statement execute function millrace.mark_search_entities();
