import type { Caller } from '../../../access/caller.ts';
import { BASE_COST, defineUseCase } from '../../../access/use-case.ts';
import { DomainError, toError } from '../../../core/errors.ts';
import { checkFilterText } from '../../../core/filter-values.ts';
import type { ReadTransaction } from '../../../db/prisma.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../../jobs/page.ts';
import type { QueryVectors } from '../embedding/query-vectors.ts';
import { findLinkVector, type LinkVectorRow } from '../sql/find-link-vector.ts';
import { findLinksByWords, type LinkByWordsRow } from '../sql/find-links-by-words.ts';
import { openVectorIndex } from '../vectors/code-index.ts';
import { fromBytes } from '../vectors/vector-bytes.ts';
import { conditionParameters, type LinkConditions, type NearLink } from '../vectors/vector-index.ts';
import { type LinkHit, rankHits } from './rank-hits.ts';

export const SEARCH_MODES = ['hybrid', 'meaning', 'words'] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

export interface LinkSearchArgs {
  readonly query: string;
  readonly mode?: SearchMode | null | undefined;
  readonly filter?: LinkConditions | null | undefined;
  readonly first?: number | null | undefined;
}

export interface LinkSearchResult {
  readonly mode: SearchMode;
  readonly hits: readonly LinkHit[];
  /** Whose vectors were compared; null where meaning was not asked, or could not be. */
  readonly model: string | null;
  /** Why meaning could not be asked, though it was to be. */
  readonly meaningProblem: string | null;
}

export interface SearchLinksDeps {
  readonly reads: ReadTransaction;
  readonly vectors: QueryVectors;
}

const MAX_QUERY_LENGTH = 500;
/** As long as the columns hold. */
const MAX_SITE_LENGTH = 1_000;
const MAX_LANGUAGE_LENGTH = 35;
/** At most this many links are ranked for a frequent word. */
const MAX_WORD_MATCHES = 500;
/** Places that count in either list. */
const RANKED = 100;
/** What a search costs beside a plain read: it measures hundreds of links. */
const COST = 10 * BASE_COST;

/**
 * Links by meaning and by words. Where the model that embeds cannot be asked, by words alone.
 * @throws DomainError `InvalidArgument` naming `query`, `filter.site`, `filter.language` or `first`; in mode
 *   `meaning` whatever the model says
 */
export const searchLinks = defineUseCase(
  { name: 'searchLinks', role: 'member', scope: 'jobs:read', toDo: 'search links', cost: COST },
  async (
    { reads, vectors }: SearchLinksDeps,
    { tenantId }: Caller,
    args: LinkSearchArgs,
  ): Promise<LinkSearchResult> => {
    const query = args.query.trim();
    if (query === '') throw invalid('query', query, `1 to ${MAX_QUERY_LENGTH} characters`);
    checkFilterText('query', query, MAX_QUERY_LENGTH);
    const first = checkedFirst(args.first);
    const mode = args.mode ?? 'hybrid';
    const conditions = args.filter ?? {};
    checkFilterText('filter.site', conditions.site, MAX_SITE_LENGTH);
    checkFilterText('filter.language', conditions.language, MAX_LANGUAGE_LENGTH);
    // Before the first read: a model may take its time, and no transaction is to wait for it.
    const meaning = mode === 'words' ? null : await meaningOf(vectors, query, mode === 'meaning');
    const { vector = null, problem = null } = meaning ?? {};
    const { model } = vectors.embedder;
    const near =
      vector === null
        ? []
        : await (await openVectorIndex(reads)).nearest({
            tenantId,
            model,
            vector,
            limit: RANKED,
            conditions,
          });
    const byWords = mode === 'meaning' ? [] : await wordsOf(reads, query, conditions);
    const hasBoth = vector !== null && mode === 'hybrid';
    return {
      mode,
      hits: rankHits(near, byWords, hasBoth).slice(0, first),
      model: vector === null ? null : model,
      meaningProblem: problem,
    };
  },
);

/**
 * Links whose meaning is nearest to that of one link, by the model that embedded it; none where it has no
 * vector.
 */
export const findSimilarLinks = defineUseCase(
  { name: 'findSimilarLinks', role: 'member', scope: 'jobs:read', toDo: 'search links', cost: COST },
  async (
    reads: ReadTransaction,
    { tenantId }: Caller,
    linkId: string,
    asked?: number | null,
  ): Promise<readonly NearLink[]> => {
    const first = checkedFirst(asked);
    const [own] = await reads.query<LinkVectorRow>(findLinkVector, [tenantId, linkId]);
    if (own === undefined) return [];
    const index = await openVectorIndex(reads);
    const near = await index.nearest({
      tenantId,
      model: own.model,
      vector: fromBytes(own.vector),
      limit: first + 1,
      conditions: {},
    });
    return near.filter((each) => each.linkId !== linkId).slice(0, first);
  },
);

async function meaningOf(
  vectors: QueryVectors,
  query: string,
  isRequired: boolean,
): Promise<{ readonly vector?: Float32Array; readonly problem?: string }> {
  try {
    return { vector: await vectors.of(query) };
  } catch (error) {
    if (isRequired)
      throw new DomainError(
        'Busy',
        `The model cannot be asked: ${toError(error).message}`,
        { field: 'mode' },
        error,
      );
    return { problem: toError(error).message };
  }
}

async function wordsOf(reads: ReadTransaction, query: string, conditions: LinkConditions) {
  const rows = await reads.query<LinkByWordsRow>(findLinksByWords, [
    query,
    MAX_WORD_MATCHES,
    RANKED,
    ...conditionParameters(conditions),
  ]);
  return rows.map(({ link_id, rank }) => ({ linkId: link_id, rank }));
}

function checkedFirst(first: number | null | undefined): number {
  if (first == null) return DEFAULT_PAGE_SIZE;
  if (first < 1 || first > MAX_PAGE_SIZE) throw invalid('first', first, `1 to ${MAX_PAGE_SIZE}`);
  return first;
}

function invalid(field: string, value: unknown, allowed: string): DomainError {
  return new DomainError('InvalidArgument', `${field} is ${JSON.stringify(value)}; allowed: ${allowed}.`, {
    field,
    allowed,
  });
}
