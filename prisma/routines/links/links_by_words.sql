-- owner: worker
-- needs: current_tenant_id
-- Links of the transaction's tenant with the words that somebody typed (`or`, `-without`, "phrases"), the
-- best first: at most `p_ranked` of the first `p_matches` that are found, of those that match the filter
-- where there is one. Under row security the API could not read the index of words, whose operator is not
-- leakproof, and would read every tenant's texts: so the worker reads it, and the tenant is a word of what is
-- looked for.
-- Index: link_texts_words_idx.
create or replace function millrace.links_by_words(
  p_query text, p_matches integer, p_ranked integer, p_has_filter boolean, p_site text, p_language text, p_text_kind text,
  p_from timestamptz, p_to timestamptz
) returns table (link_id uuid, rank float8)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set row_security = on set enable_seqscan = off as $$
declare
  v_tenant constant uuid := millrace.current_tenant_id();
  v_words  constant tsquery := websearch_to_tsquery('english', p_query);
begin
  if v_tenant is null or numnode(v_words) = 0 then
    return;
  end if;
  return query
    select found.id, ts_rank_cd(found.words, v_words, 32)::float8 as score
    from (
      select t.link_id as id, t.words
      from millrace.link_texts t
      where t.words @@ (v_words && ('''tenant:' || v_tenant::text || '''')::tsquery) and t.tenant_id = v_tenant
        and (not p_has_filter or exists (
          select from millrace.links l
          where l.id = t.link_id
            and (p_site is null or l.site_name = p_site
                 or split_part(split_part(l.url, '/', 3), ':', 1) in (p_site, 'www.' || p_site))
            and (p_language is null or l.language = p_language or l.language like p_language || '-%')
            and (p_text_kind is null or l.text_kind = p_text_kind)
            and (p_from is null or l.created_at >= p_from)
            and (p_to is null or l.created_at < p_to)))
      limit p_matches
    ) found
    order by score desc, found.id desc
    limit p_ranked;
end $$;

revoke all on function millrace.links_by_words from public;
grant execute on function millrace.links_by_words to :"api";
