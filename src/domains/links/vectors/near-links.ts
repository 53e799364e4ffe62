import { matchesFilter } from '../filter-conditions.ts';

/**
 * The text of a statement that finds vectors of the links of tenant $1 that may be nearest, to be measured:
 * of the $4 whose codes of model $2 differ least from $3, the $5 that weigh most by the planes $6 to $9 and
 * the offset $10. With a filter ($11 true) from $12 on only links that match it.
 * @param distance SQL: how much the code of `v` differs from $3, as the index that is to be read has it
 */
export function nearLinks(distance: string): string {
  return `
with alike as materialized (
  select v.link_id, v.code
  from millrace.link_vectors v
  where v.tenant_id = $1 and v.model = $2
    and (not $11::boolean or exists (select from millrace.links l where l.id = v.link_id and ${matchesFilter('l', 12)}))
  order by ${distance}
  limit $4
), near as materialized (
  select a.link_id
  from alike a
  order by 8 * bit_count(a.code & $6::bit(1024)) + 4 * bit_count(a.code & $7::bit(1024)) + 2 * bit_count(a.code & $8::bit(1024))
    + bit_count(a.code & $9::bit(1024)) + $10::float8 * bit_count(a.code) desc
  limit $5
)
select v.link_id, v.vector
from near n join millrace.link_vectors v on v.tenant_id = $1 and v.model = $2 and v.link_id = n.link_id`;
}
