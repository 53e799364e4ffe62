-- needs: search_pair_shape, search_shape
-- Two words are at most one letter apart (one wrong, one missing, one too many, two swapped), or look alike,
-- exactly when they share a key: their shapes, whole and with any one letter left out. (A letter that moved
-- further passes too.) Short words have their shape alone, as do those with a number in them, which another
-- number is no typing error of.
create or replace function millrace.search_typo_keys(p_tenant_id uuid, p_word text) returns bigint[]
language sql immutable parallel safe
begin atomic
  select coalesce(array_agg(distinct hashtextextended(k.key, hashtextextended(p_tenant_id::text, 0))), '{}')
  from (
    select left(millrace.search_shape(p_word), 20) as shape
    union
    select left(millrace.search_pair_shape(p_word), 20)
  ) s
  cross join lateral (
    select s.shape as key
    union all
    select left(s.shape, i - 1) || substr(s.shape, i + 1) from generate_series(1, length(s.shape)) i
    where length(s.shape) >= 4 and p_word !~ '[0-9]{2}'
  ) k
  where p_word ~ '^[^@#:]{2,}$';
end;
