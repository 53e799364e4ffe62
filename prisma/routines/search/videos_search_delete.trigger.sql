create or replace trigger videos_search_delete after delete on millrace.videos referencing old table as changed
for each statement execute function millrace.forget_search_titles();
