create or replace trigger links_scrape after insert on millrace.links for each row
execute function millrace.scrape_link();
