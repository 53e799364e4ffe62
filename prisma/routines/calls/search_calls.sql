-- owner: worker
-- needs: current_tenant_id, search_is_near, search_lexeme, search_mark, search_tokens, search_typo_keys
-- Turns of calls of the transaction's tenant that answer a query: groups in JSON, as `parseSearchQuery` gives
-- them, all of which must hold in one turn; of one call alone where it is given; `p_size` rows after rank and
-- place. Under row security the API could not read the index of words, whose operator is not leakproof, and
-- would read every tenant's turns: so the worker reads it, and each word has the tenant in it.
-- Indexes: call_turns_tsv_idx, call_words_typo_keys_idx, call_words_pkey.
create or replace function millrace.search_calls(
  p_groups jsonb, p_call_id uuid, p_size integer, p_score float8, p_after_call_id uuid, p_after_position integer
) returns table (call_id uuid, "position" integer, speaker integer, start_ms float8, end_ms float8, text text, score float8)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set row_security = on set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
declare
  v_tenant constant uuid := millrace.current_tenant_id();
begin
  if v_tenant is null then
    return;
  end if;
  return query
    with part as (
      select g.no, g.item ->> 'kind' as kind, coalesce((g.item ->> 'isExcluded')::boolean, false) as is_excluded,
             coalesce((g.item ->> 'prefix')::boolean, false) as prefix, t.word, t.place,
             row_number() over (partition by g.no order by t.place, t.word) = count(*) over (partition by g.no) as is_last
      from jsonb_array_elements(p_groups) with ordinality as g (item, no)
      cross join lateral millrace.search_tokens(g.item ->> 'text') t
      where not t.is_guess and left(t.word, 1) in ('@', '#') = (g.item ->> 'kind' = 'entity')
    ), alternative as (
      select p.no, p.place, p.word, a.word as said
      from part p
      cross join lateral (
        select p.word
        union
        select w.word from millrace.call_words w
        where p.kind = 'word' and not p.is_excluded and length(p.word) >= 4 and w.tenant_id = v_tenant
          and w.typo_keys && millrace.search_typo_keys(v_tenant, p.word) and millrace.search_is_near(w.word, p.word)
        union
        (select w.word from millrace.call_words w
         where p.prefix and p.is_last and length(p.word) >= 2 and w.tenant_id = v_tenant
           and w.word > p.word and w.word < p.word || chr(1114111)
         limit 200)
      ) a
    ), token as (
      select no, place, word, '(' || string_agg(millrace.search_lexeme(millrace.search_mark(v_tenant), said), '|') || ')' as said
      from alternative group by no, place, word
    ), ordered as (
      select t.no, t.said, t.place - lag(t.place) over (partition by t.no order by t.place, t.word) as gap, t.place, t.word
      from token t
    ), grouped as (
      select o.no,
             string_agg(case when o.gap is null then '' when p.kind = 'phrase' then ' <' || o.gap || '> ' else ' & ' end || o.said, ''
                        order by o.place, o.word) as said,
             bool_or(p.is_excluded) as is_excluded
      from ordered o join (select distinct no, kind, is_excluded from part) p using (no)
      group by o.no
    ), query as materialized (
      select string_agg(case when is_excluded then '!(' || said || ')' else '(' || said || ')' end, ' & ')::tsquery as full_text,
             (select string_agg('(' || millrace.search_lexeme(millrace.search_mark(v_tenant), word) || ')', ' & ')::tsquery
              from part where not is_excluded) as as_typed
      from grouped
      -- Nothing but exclusions would be all the rest.
      having bool_or(not is_excluded)
    ), hit as (
      select t.call_id, t.position, t.speaker, t.start_ms, t.end_ms, t.text,
             round((ts_rank(t.tsv, q.full_text) + case when t.tsv @@ q.as_typed then 1 else 0 end)::numeric, 6)::float8 as score
      from query q join millrace.call_turns t on t.tsv @@ q.full_text
      where t.tenant_id = v_tenant and (p_call_id is null or t.call_id = p_call_id)
    )
    select h.call_id, h.position, h.speaker, h.start_ms::float8 as start_ms, h.end_ms::float8 as end_ms, h.text, h.score
    from hit h
    where p_score is null or (h.score, h.call_id, -h.position) < (p_score, p_after_call_id, -p_after_position)
    order by h.score desc, h.call_id desc, h.position
    limit p_size;
end $$;

revoke all on function millrace.search_calls from public;
grant execute on function millrace.search_calls to :"api";
