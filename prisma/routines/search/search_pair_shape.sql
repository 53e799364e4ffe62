-- needs: search_shape
-- The same for pairs: rn is m, vv is w.
create or replace function millrace.search_pair_shape(p_word text) returns text
language sql immutable parallel safe
return replace(replace(millrace.search_shape(p_word), 'rn', 'm'), 'vv', 'w');
