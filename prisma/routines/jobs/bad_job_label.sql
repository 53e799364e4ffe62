-- Which is out of its bounds; null: none. The size of metadata is that in the row, in which one byte of JSON
-- can be eight: what a caller may give is bounded as text, 4,096 bytes, by the code that takes it.
create or replace function millrace.bad_job_label(p_tags text[], p_metadata jsonb) returns text language sql immutable parallel safe
return case
  when cardinality(p_tags) > 20 or array_ndims(p_tags) > 1
    or exists (select from unnest(p_tags) as t (tag) where t.tag is null or length(t.tag) not between 1 and 64) then 'tags'
  when jsonb_typeof(p_metadata) <> 'object' or pg_column_size(p_metadata) > 65536 then 'metadata' end;
