import { statement } from '../../../db/statement.ts';

/**
 * Turns of tenant $1's calls that answer a query: groups in JSON ($2), as `parseSearchQuery` gives them, all of which must hold in one turn;
 * of call $3 alone where it is given; $4 rows after rank and place ($5, $6, $7). A word stands for itself, for words with its beginning
 * while it is typed, and for words a letter away. Locks nothing. Indexes: call_turns_tsv_idx, call_words_typo_keys_idx, call_words_pkey.
 */
export const searchCallsPage = statement(
  'search_calls_page',
  `
with part as (
  select g.no, g.item ->> 'kind' as kind, coalesce((g.item ->> 'isExcluded')::boolean, false) as is_excluded,
         coalesce((g.item ->> 'prefix')::boolean, false) as prefix, t.word, t.place,
         row_number() over (partition by g.no order by t.place, t.word) = count(*) over (partition by g.no) as is_last
  from jsonb_array_elements($2::jsonb) with ordinality as g (item, no)
  cross join lateral millrace.search_tokens(g.item ->> 'text') t
  where not t.is_guess and left(t.word, 1) in ('@', '#') = (g.item ->> 'kind' = 'entity')
), alternative as (
  select p.no, p.place, p.word, a.word as said
  from part p
  cross join lateral (
    select p.word
    union
    select w.word from millrace.call_words w
    where p.kind = 'word' and not p.is_excluded and length(p.word) >= 4 and w.tenant_id = $1
      and w.typo_keys && millrace.search_typo_keys($1, p.word) and millrace.search_is_near(w.word, p.word)
    union
    (select w.word from millrace.call_words w
     where p.prefix and p.is_last and length(p.word) >= 2 and w.tenant_id = $1
       and w.word > p.word and w.word < p.word || chr(1114111)
     limit 200)
  ) a
), token as (
  select no, place, word, '(' || string_agg(millrace.search_lexeme(millrace.search_mark($1), said), '|') || ')' as said
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
         (select string_agg('(' || millrace.search_lexeme(millrace.search_mark($1), word) || ')', ' & ')::tsquery
          from part where not is_excluded) as as_typed
  from grouped
  -- Nothing but exclusions would be all the rest.
  having bool_or(not is_excluded)
), hit as (
  select t.call_id, t.position, t.speaker, t.start_ms, t.end_ms, t.text,
         round((ts_rank(t.tsv, q.full_text) + case when t.tsv @@ q.as_typed then 1 else 0 end)::numeric, 6)::float8 as score
  from query q join millrace.call_turns t on t.tsv @@ q.full_text
  where t.tenant_id = $1 and ($3::uuid is null or t.call_id = $3)
)
select h.call_id, h.position, h.speaker, h.start_ms::float8 as start_ms, h.end_ms::float8 as end_ms, h.text, h.score
from hit h
where $5::float8 is null or (h.score, h.call_id, -h.position) < ($5, $6::uuid, -$7::integer)
order by h.score desc, h.call_id desc, h.position
limit $4`,
);

export interface CallHitRow {
  readonly call_id: string;
  readonly position: number;
  readonly speaker: number;
  readonly start_ms: number;
  readonly end_ms: number;
  readonly text: string;
  readonly score: number;
}
