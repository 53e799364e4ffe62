import type { ReadTransaction } from '../../../db/prisma.ts';
import { findNearLinks, type NearLinkRow } from '../sql/find-near-links.ts';
import { signCode } from './sign-code.ts';
import { cosine, fromBytes } from './vector-bytes.ts';
import { conditionParameters, type VectorIndex } from './vector-index.ts';

/** Candidates by their codes; of them the nearest are chosen by their vectors. More find more of what is truly nearest, and take longer. */
const CANDIDATES = 200;

/** Plain Postgres: candidates by the signs of their vectors, then measured exactly. */
export function codeIndex(reads: Pick<ReadTransaction, 'query'>): VectorIndex {
  return {
    nearest: async ({ tenantId, model, vector, limit, conditions }) => {
      const rows = await reads.query<NearLinkRow>(findNearLinks, [
        tenantId,
        model,
        signCode(vector),
        Math.max(CANDIDATES, limit),
        ...conditionParameters(conditions),
      ]);
      return rows
        .map((row) => ({ linkId: row.link_id, similarity: cosine(vector, fromBytes(row.vector)) }))
        .sort((a, b) => b.similarity - a.similarity || (a.linkId < b.linkId ? 1 : -1))
        .slice(0, limit);
    },
  };
}
