create or replace trigger links_begin before insert on millrace.links for each row
execute function millrace.begin_link();
