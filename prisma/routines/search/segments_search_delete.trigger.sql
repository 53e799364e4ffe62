create or replace trigger segments_search_delete after delete on millrace.segments referencing old table as changed
for each statement execute function millrace.forget_search_segments();
