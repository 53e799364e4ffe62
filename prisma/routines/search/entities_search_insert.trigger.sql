create or replace trigger entities_search_insert after insert on millrace.entities referencing new table as changed
for each statement execute function millrace.mark_search_entities();
