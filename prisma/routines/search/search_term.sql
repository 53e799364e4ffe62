-- owner: worker
-- What one word of a group of a search may stand for: itself, its forms, its beginnings and what it may be a
-- misreading of, by what the vocabulary has and how often. `is_open`: more words begin with it than can be
-- named one by one.
create or replace function millrace.search_term(p_tenant uuid, p_mark text, p_group jsonb, p_word text, p_is_last boolean)
returns millrace.search_term language plpgsql stable as $$
declare
  c_ranked    constant integer := 3000;
  c_prefixes  constant integer := 200;
  v_is_typing constant boolean := p_group ->> 'isTyping' is not null;
  v_is_excluded constant boolean := coalesce((p_group ->> 'isExcluded')::boolean, false);
  v_prefix    boolean := p_is_last and coalesce((p_group ->> 'prefix')::boolean, false) and (not v_is_typing or length(p_word) >= 3);
  v_exact     text[] := '{}';
  v_near      text[] := '{}';
  v_all       text[] := '{}';
  v_begins    text[] := '{}';
  v_prefixes  integer := 0;
  v_exact_count bigint := 0;
  v_is_known  boolean := false;
  v_count     bigint := 0;
  v_lexeme    text;
  v_found     record;
  v_term      millrace.search_term;
begin
  v_term.marked := '{}'; v_term.begun := '{}'; v_term.is_open := false;
  if p_group ->> 'kind' = 'entity' then v_prefix := v_prefix and length(p_word) >= 2; end if;
  for v_found in select a.kind, a.word, a.segment_count from millrace.search_alternatives(p_tenant, p_word, v_prefix) a loop
    v_lexeme := millrace.search_lexeme(p_mark, v_found.word);
    if v_found.kind = 'exact' then
      v_exact := v_exact || v_lexeme; v_near := v_near || v_lexeme; v_exact_count := v_found.segment_count;
      v_is_known := v_exact_count >= 5;
    elsif v_found.kind = 'look' then
      v_near := v_near || v_lexeme;
    elsif v_found.kind = 'prefix' then
      v_prefixes := v_prefixes + 1;
      continue when v_prefixes > c_prefixes or (v_is_known and v_is_typing and v_count + v_found.segment_count > c_ranked);
      v_near := v_near || v_lexeme;
    elsif v_found.kind = 'begin' then
      continue when v_is_known and v_count + v_found.segment_count > c_ranked;
      v_begins := v_begins || v_lexeme; v_near := v_near || v_lexeme;
    -- In quotes and after a minus a word means itself; a word of four letters has too many neighbours to look
    -- at them unasked; and a common word is no misreading of one that is known.
    elsif p_group ->> 'kind' <> 'word' or v_is_excluded
          or length(p_word) < 4 or (length(p_word) = 4 and v_exact_count > 0)
          or (v_is_known and v_count + v_found.segment_count > c_ranked) then
      continue;
    end if;
    v_all := v_all || v_lexeme;
    v_count := v_count + v_found.segment_count;
    v_term.marked := v_term.marked || (p_mark || v_found.word);
  end loop;
  if v_prefixes > c_prefixes and not (v_is_known and v_is_typing) then
    v_term.is_open := true;
    -- More words than to name them one by one.
    v_all := (millrace.search_lexeme(p_mark, p_word) || ':*') || v_begins;
    v_near := v_all;
    v_term.begun := array[p_mark || p_word];
  elsif cardinality(v_all) = 0 then
    -- A word that nobody has: it matches nothing, under a name that nothing has.
    v_all := array[millrace.search_lexeme(p_mark, p_word)];
  end if;
  v_term.said := '(' || array_to_string(v_all, '|') || ')';
  v_term.segment_count := v_count;
  v_term.exact_words := '(' || array_to_string(v_exact, '|') || ')';
  v_term.near_words := '(' || array_to_string(v_near, '|') || ')';
  return v_term;
end $$;

revoke all on function millrace.search_term from public;
