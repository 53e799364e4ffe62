-- needs: search_is_near, search_pair_shape, search_shape, search_typo_keys
-- The words of a tenant that a word of a query stands for: itself (`exact`), what looks like it (`look`),
-- what is one letter away (`typo`), what begins with it (`prefix`, one more than 200 where there are more),
-- what begins with something that looks like it (`begin`). A shared key says that a word may be near, and no
-- more: a letter may have moved anywhere, and keys are hashes.
create or replace function millrace.search_alternatives(p_tenant_id uuid, p_word text, p_prefix boolean)
returns table (kind text, word text, segment_count bigint)
language sql stable parallel safe
begin atomic
  select 'exact', w.word, sum(w.segment_count) from millrace.search_words w
  where w.tenant_id = p_tenant_id and w.word = p_word
  group by w.word
  union all
  (
    select case when millrace.search_shape(w.word) = millrace.search_shape(p_word)
                  or millrace.search_pair_shape(w.word) = millrace.search_pair_shape(p_word) then 'look' else 'typo' end as kind,
           w.word, sum(w.segment_count) as segment_count
    -- Set apart: the keys are the tenant's own, and all of its words beside them would be the dearer way.
    from (select a.* from millrace.search_words a where a.typo_keys && millrace.search_typo_keys(p_tenant_id, p_word) offset 0) w
    where w.tenant_id = p_tenant_id and w.word <> p_word and millrace.search_is_near(w.word, p_word)
    group by w.word
    order by 1, 3 desc, 2
    limit 40
  )
  union all
  (
    select 'prefix', w.word, sum(w.segment_count) from millrace.search_words w
    where p_prefix and w.tenant_id = p_tenant_id and w.word > p_word and w.word < p_word || chr(1114111)
    group by w.word
    order by w.word
    limit 201
  )
  union all
  (
    select 'begin', w.word, sum(w.segment_count) from millrace.search_words w
    where p_prefix and w.tenant_id = p_tenant_id and length(p_word) >= 3
      and w.shape > millrace.search_shape(p_word) and w.shape < millrace.search_shape(p_word) || chr(1114111)
      and not starts_with(w.word, p_word)
    group by w.word
    order by 3 desc, w.word
    limit 40
  );
end;
