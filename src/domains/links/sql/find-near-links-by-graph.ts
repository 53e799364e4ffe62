import { type Statement, statement } from '../../../db/statement.ts';
import { nearLinks } from '../vectors/near-links.ts';

/**
 * Vectors that may be nearest, by the graph that pgvector keeps of the codes; parameters as `nearLinks` has
 * them. Locks nothing. Index: link_vectors_graph_idx; link_vectors_pkey where the tenant has few.
 * @param schema where the extension is
 */
export function findNearLinksByGraph(schema: string): Statement {
  const distance = `v.code operator("${schema.replaceAll('"', '""')}".<~>) $3::bit(1024)`;
  return statement('find_near_links_by_graph', nearLinks(distance));
}
