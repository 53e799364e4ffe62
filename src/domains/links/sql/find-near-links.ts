import { statement } from '../../../db/statement.ts';
import { matchesFilter } from '../filter-conditions.ts';

/**
 * The $4 links of tenant $1 whose codes of model $2 differ least from $3, with their vectors, to be measured. With a filter ($5 true) from $6 on only those that
 * match it. Locks nothing. Index: link_vectors_codes_idx, read alone; link_vectors_pkey for those that were chosen.
 */
export const findNearLinks = statement(
  'find_near_links',
  `
with near as materialized (
  select v.link_id
  from millrace.link_vectors v
  where v.tenant_id = $1 and v.model = $2
    and (not $5::boolean or exists (select from millrace.links l where l.id = v.link_id and ${matchesFilter('l', 6)}))
  order by bit_count(v.code # $3::bit(512))
  limit $4
)
select v.link_id, v.vector from near n join millrace.link_vectors v on v.link_id = n.link_id and v.model = $2`,
);

export interface NearLinkRow {
  readonly link_id: string;
  readonly vector: Buffer;
}
