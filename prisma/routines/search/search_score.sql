-- How well a text answers a query, 0 to 1: words as they were asked for before look-alikes and beginnings,
-- those before typing errors; within each, words next to each other, what was read with more confidence, was
-- shown longer (a title: all the time), and stands in a shorter line.
create or replace function millrace.search_score(p_tsv tsvector, p_confidence real, p_t_start bigint, p_t_end bigint,
                                                 p_exact tsquery, p_near tsquery, p_adjacent tsquery) returns double precision
language sql immutable parallel safe
return case when p_tsv @@ p_exact then 0.8::double precision when p_tsv @@ p_near then 0.6 else 0.4 end
  + case when p_tsv @@ p_adjacent then 0.09::double precision else 0 end
  -- In floating point throughout: the logarithm of a numeric costs more than all the rest.
  + 0.05::double precision * p_confidence
  + 0.03::double precision * case when p_t_start < 0 then 1 else least(ln(1 + (p_t_end - p_t_start)::double precision / 1000) / 8, 1::double precision) end
  + 0.02::double precision / greatest(length(p_tsv), 1);
