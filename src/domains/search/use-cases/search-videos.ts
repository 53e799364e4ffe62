import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { DomainError } from '../../../core/errors.ts';
import { isUuid } from '../../../core/ids.ts';
import { parseJson } from '../../../core/parse-json.ts';
import type { ReadTransaction } from '../../../db/prisma.ts';
import { costOfPage, sizeOf } from '../../../jobs/page.ts';
import { parseSearchQuery } from '../../../text/search-query.ts';
import { searchVideosPage } from '../sql/search-videos-page.ts';
import { type SearchFilter, searchConditions } from './search-filter.ts';

/**
 * How the videos of a search are sorted: the best first, or, where too much matches to rank it, the newest.
 */
export type SearchOrder = 'relevance' | 'newest';

export interface SearchArgs {
  readonly query?: string | null | undefined;
  readonly filter?: SearchFilter | null | undefined;
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly hitsPerVideo?: number | null | undefined;
}

/** A segment that was found. */
export interface SearchHit {
  readonly segmentId: string;
  readonly score: number;
  /** Which of its words matched, from 1. */
  readonly places: readonly number[];
}

/** A video with something found in it. */
export interface FoundVideo {
  readonly videoId: string;
  readonly score: number;
  readonly hitCount: number;
  /** The best ones, best first; none where the title alone was found. */
  readonly hits: readonly SearchHit[];
  /**
   * Which words of its title matched, from 1, counting what spaces part; null where the title was not found.
   */
  readonly titlePlaces: readonly number[] | null;
  readonly cursor: string;
}

export interface SearchPage {
  readonly order: SearchOrder;
  readonly videos: readonly FoundVideo[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** Null when the newest come first: nobody has counted them. */
  readonly videoCount: number | null;
  readonly hitCount: number | null;
}

/** A value and how many of the found segments have it. */
export interface FacetCount {
  readonly value: string;
  readonly count: number;
}

export interface SearchFacets {
  /** Whether all that matches was counted, or the newest of it alone. */
  readonly isComplete: boolean;
  readonly mentions: readonly FacetCount[];
  readonly hashtags: readonly FacetCount[];
  readonly domains: readonly FacetCount[];
  readonly languages: readonly FacetCount[];
  /** Values are videos' ids. */
  readonly videos: readonly FacetCount[];
}

export const DEFAULT_HITS_PER_VIDEO = 3;
export const MAX_HITS_PER_VIDEO = 100;

/**
 * Searches what was read in the pictures of the transaction's tenant's videos, and their titles.
 * @throws DomainError `InvalidArgument` naming `query`, `filter.…`, `first`, `after` or `hitsPerVideo`
 */
export const searchVideos = defineUseCase(
  {
    name: 'searchVideos',
    role: 'member',
    scope: 'videos:read',
    toDo: 'search videos',
    cost: (args: SearchArgs) => 10 * costOfPage(args),
  },
  async (reads: ReadTransaction, _caller: Caller, args: SearchArgs): Promise<SearchPage> => {
    const hits = args.hitsPerVideo ?? DEFAULT_HITS_PER_VIDEO;
    if (hits < 1 || hits > MAX_HITS_PER_VIDEO)
      throw invalid('hitsPerVideo', hits, `1 to ${MAX_HITS_PER_VIDEO}`);
    const { size } = sizeOf({ first: args.first });
    const after = args.after == null ? null : decodeCursor(args.after);
    const page = await ask(reads, { ...asked(args), size, hits, after });
    return {
      order: page.order,
      videos: page.videos.map((video) => ({ ...video, cursor: encodeCursor(page.order, video) })),
      hasNextPage: page.hasNextPage,
      hasPreviousPage: after !== null,
      videoCount: page.videoCount,
      hitCount: page.hitCount,
    };
  },
);

/**
 * What all that a search finds has in common, the ten most frequent of each kind. @throws as `searchVideos`
 */
export const searchFacets = defineUseCase(
  { name: 'searchFacets', role: 'member', scope: 'videos:read', toDo: 'search videos' },
  async (
    reads: ReadTransaction,
    _caller: Caller,
    args: Pick<SearchArgs, 'query' | 'filter'>,
  ): Promise<SearchFacets> => {
    const { facets } = await ask(reads, { ...asked(args), size: 1, hits: 1, after: null, hasFacets: true });
    return {
      mentions: [],
      hashtags: [],
      domains: [],
      languages: [],
      videos: [],
      isComplete: true,
      ...facets,
    };
  },
);

function asked({ query, filter }: Pick<SearchArgs, 'query' | 'filter'>): Record<string, unknown> {
  return { groups: parseSearchQuery(query ?? ''), ...searchConditions(filter ?? {}) };
}

/** As `millrace.search_videos_page` answers. */
interface Answer extends Omit<SearchPage, 'videos' | 'hasPreviousPage'> {
  readonly videos: readonly Omit<FoundVideo, 'cursor'>[];
  readonly facets?: Partial<SearchFacets>;
}

async function ask(reads: ReadTransaction, request: Record<string, unknown>): Promise<Answer> {
  const [row] = await reads.query<{ page: Answer }>(searchVideosPage, [JSON.stringify(request)]);
  if (row === undefined) throw new Error('A search answered nothing');
  return row.page;
}

/** Order, score and video: a page goes on behind that place, whatever has been added or deleted meanwhile. */
function encodeCursor(order: SearchOrder, { score, videoId }: Pick<FoundVideo, 'score' | 'videoId'>): string {
  return Buffer.from(JSON.stringify([order, score, videoId])).toString('base64url');
}

function decodeCursor(cursor: string): Record<string, unknown> {
  let decoded: unknown;
  try {
    decoded = parseJson(Buffer.from(cursor.slice(0, 200), 'base64url').toString());
  } catch {
    decoded = null;
  }
  const [order, score, videoId] = Array.isArray(decoded) ? (decoded as unknown[]) : [];
  if (
    (order === 'relevance' || order === 'newest') &&
    typeof score === 'number' &&
    typeof videoId === 'string' &&
    isUuid(videoId)
  )
    return { order, score, videoId };
  throw invalid('after', cursor.slice(0, 80), 'a cursor from an earlier page');
}

function invalid(field: string, value: unknown, allowed: string): DomainError {
  return new DomainError('InvalidArgument', `${field} is ${JSON.stringify(value)}; allowed: ${allowed}.`, {
    field,
    allowed,
  });
}
