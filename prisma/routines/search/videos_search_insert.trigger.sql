create or replace trigger videos_search_insert after insert on millrace.videos referencing new table as changed
for each statement execute function millrace.index_search_titles();
