-- A word as it is written in text of a tsvector or a tsquery.
create or replace function millrace.search_lexeme(p_mark text, p_word text) returns text
language sql immutable parallel safe
return '''' || p_mark || replace(replace(p_word, '\', '\\'), '''', '''''') || '''';
