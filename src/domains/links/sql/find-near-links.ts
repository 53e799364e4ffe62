import { statement } from '../../../db/statement.ts';
import { nearLinks } from '../vectors/near-links.ts';

/**
 * Vectors that may be nearest, by the differing bits of all codes of a tenant and model; parameters as
 * `nearLinks` has them. Locks nothing. Index: link_vectors_pkey, whose entries hold the codes; the table for
 * those that were chosen.
 */
export const findNearLinks = statement('find_near_links', nearLinks('bit_count(v.code # $3::bit(1024))'));

export interface NearLinkRow {
  readonly link_id: string;
  readonly vector: Buffer;
}
