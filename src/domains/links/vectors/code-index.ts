import type { ReadTransaction } from '../../../db/prisma.ts';
import { findNearLinks, type NearLinkRow } from '../sql/find-near-links.ts';
import { findNearLinksByGraph } from '../sql/find-near-links-by-graph.ts';
import { findVectorExtension, type VectorExtensionRow } from '../sql/find-vector-extension.ts';
import { setGraphSearch } from '../sql/set-graph-search.ts';
import { codeWeights, signCode } from './sign-code.ts';
import { cosine, fromBytes } from './vector-bytes.ts';
import { conditionParameters, type NearQuery, type VectorIndex } from './vector-index.ts';

/**
 * Codes that differ least; of them those that weigh most are measured. More find more of what is truly
 * nearest, and take longer.
 */
const ALIKE = 1_000;
const MEASURED = 400;
/** Candidates from a graph: as many as pgvector looks at in one scan. */
const ALIKE_BY_GRAPH = 1_000;
const MOST_LOOKED_AT = 100_000;

type Reads = Pick<ReadTransaction, 'query'>;

/**
 * The index that the server has: pgvector’s graph of codes where the extension is installed, else all codes
 * are looked at.
 */
export async function openVectorIndex(reads: Reads): Promise<VectorIndex> {
  const [extension] = await reads.query<VectorExtensionRow>(findVectorExtension, []);
  return extension === undefined ? codeIndex(reads) : graphIndex(reads, extension.schema);
}

/** Plain Postgres: candidates by the signs of their vectors, then measured exactly. */
function codeIndex(reads: Reads): VectorIndex {
  return {
    nearest: async (query) => {
      const rows = await reads.query<NearLinkRow>(findNearLinks, parametersOf(query, ALIKE));
      return measured(query, rows);
    },
  };
}

/** The same by pgvector’s graph. @param schema where the extension is */
function graphIndex(reads: Reads, schema: string): VectorIndex {
  return {
    nearest: async (query) => {
      await reads.query(setGraphSearch, [String(ALIKE_BY_GRAPH), String(MOST_LOOKED_AT)]);
      const rows = await reads.query<NearLinkRow>(
        findNearLinksByGraph(schema),
        parametersOf(query, ALIKE_BY_GRAPH),
      );
      return measured(query, rows);
    },
  };
}

function parametersOf(
  { tenantId, model, vector, limit, conditions }: NearQuery,
  alike: number,
): readonly unknown[] {
  const { planes, offset } = codeWeights(vector);
  return [
    tenantId,
    model,
    signCode(vector),
    alike,
    Math.max(MEASURED, limit),
    ...planes,
    offset,
    ...conditionParameters(conditions),
  ];
}

function measured({ vector, limit }: NearQuery, rows: readonly NearLinkRow[]) {
  return rows
    .map((row) => ({ linkId: row.link_id, similarity: cosine(vector, fromBytes(row.vector)) }))
    .sort((a, b) => b.similarity - a.similarity || (a.linkId < b.linkId ? 1 : -1))
    .slice(0, limit);
}
