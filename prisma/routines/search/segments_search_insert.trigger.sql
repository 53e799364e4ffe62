create or replace trigger segments_search_insert after insert on millrace.segments referencing new table as changed
for each statement execute function millrace.mark_search_segments();
