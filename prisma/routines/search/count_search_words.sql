-- needs: search_shape, search_typo_keys
-- Adds up words of one tenant. Waits for nobody: a word that another transaction holds gets a row of its own.
create or replace function millrace.count_search_words(p_tenant_id uuid, p_words text[], p_counts integer[]) returns void
language sql volatile set enable_seqscan = off
begin atomic
  with change as materialized (
    select c.word, sum(c.n)::integer as n
    from unnest(p_words, p_counts) as c (word, n)
    group by c.word having sum(c.n) <> 0
  ), held as materialized (
    select c.word, h.id, h.segment_count + c.n as segment_count
    from change c
    cross join lateral (
      select w.id, w.segment_count from millrace.search_words w
      where w.tenant_id = p_tenant_id and w.word = c.word
      limit 1 for update skip locked
    ) h
  ), changed as (
    update millrace.search_words w set segment_count = held.segment_count
    from held where w.id = held.id and held.segment_count <> 0
  ), emptied as (
    delete from millrace.search_words w using held where w.id = held.id and held.segment_count = 0
  )
  insert into millrace.search_words (tenant_id, word, segment_count, typo_keys, shape)
  select p_tenant_id, c.word, c.n, millrace.search_typo_keys(p_tenant_id, c.word), millrace.search_shape(c.word)
  from change c
  where not exists (select from held where held.word = c.word);
end;
