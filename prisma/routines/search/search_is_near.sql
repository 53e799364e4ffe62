-- needs: search_pair_shape, search_shape
-- Whether two words are the same but for one letter that is wrong, missing or too many, or two neighbours
-- that are swapped: a distance of at most 1 as Damerau and Levenshtein count it (optimal string alignment).
-- Letters that look alike count as one.
create or replace function millrace.search_is_near(p_one text, p_other text) returns boolean
language sql immutable parallel safe
begin atomic
  select exists (
    select from (values (millrace.search_shape(p_one), millrace.search_shape(p_other)),
                        (millrace.search_pair_shape(p_one), millrace.search_pair_shape(p_other))) as s (a, b)
    where s.a = s.b
       or abs(length(s.a) - length(s.b)) <= 1 and exists (
         select from generate_series(1, greatest(length(s.a), length(s.b))) as i
         where left(s.a, i - 1) = left(s.b, i - 1)
           and case length(s.a) - length(s.b)
             when 0 then substr(s.a, i + 1) = substr(s.b, i + 1)
               or substr(s.a, i, 2) = reverse(substr(s.b, i, 2)) and substr(s.a, i + 2) = substr(s.b, i + 2)
             when 1 then substr(s.a, i + 1) = substr(s.b, i)
             else substr(s.a, i) = substr(s.b, i + 1)
           end));
end;
