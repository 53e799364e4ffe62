create or replace trigger videos_search_update after update of title on millrace.videos
for each row when (old.title is distinct from new.title) execute function millrace.index_search_title();
