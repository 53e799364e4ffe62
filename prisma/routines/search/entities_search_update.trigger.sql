create or replace trigger entities_search_update after update on millrace.entities referencing new table as changed
for each statement execute function millrace.mark_search_entities();
