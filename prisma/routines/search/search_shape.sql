-- A word with the letters made alike that a reader of pictures takes for each other: 0 and o, 1, i and l, 5
-- and s, 8 and b, 2 and z, 9, q and g, and those of Cyrillic and Greek that look like Latin ones. No two
-- figures become one, so that a number is only itself.
create or replace function millrace.search_shape(p_word text) returns text
language sql immutable parallel safe
return translate(p_word, '01i5829qаеорсухіѕјкмтвнοικνραυτ', 'ollsbzggaeopcyxlsjkmtbholkvpaut');
