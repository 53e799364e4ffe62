'use client';

import { useCallback, useEffect, useState } from 'react';
import type { MillraceError, SearchInput, SearchPage, SearchResult } from '../client/index.ts';
import { useMillrace } from './provider.ts';
import { useAction } from './use-action.ts';

/** A person who types is asked for after this pause. */
const TYPING_MS = 200;

export interface UseSearch {
  /** What was found, best first; of the search before while the next one is under way. */
  readonly results: readonly SearchResult[];
  /** How many videos were found; null where nobody counts them, undefined before the first answer. */
  readonly videoCount: number | null | undefined;
  readonly isPending: boolean;
  readonly error: MillraceError | null;
  /** Searches again, after an error. */
  readonly retry: () => void;
  readonly hasMore: boolean;
  /** Adds the next page. */
  readonly loadMore: () => void;
}

interface Found {
  readonly page: SearchPage;
  readonly results: readonly SearchResult[];
}

/**
 * Searches videos as somebody types. The input may be written in place: it is compared by what is in it. With
 * null nothing is searched.
 */
export function useSearch(input: SearchInput | null): UseSearch {
  const client = useMillrace();
  const { state, run, reset } = useAction<Found>();
  const [tryCount, setTryCount] = useState(0);
  const asked = input === null ? null : JSON.stringify(input);
  // biome-ignore lint/correctness/useExhaustiveDependencies: again when somebody asks for it
  useEffect(() => {
    if (asked === null) {
      reset();
      return undefined;
    }
    const timer = setTimeout(() => {
      void run(async (signal) => {
        const page = await client.searchVideos(JSON.parse(asked) as SearchInput, { signal });
        return { page, results: page.edges };
      });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [client, run, reset, asked, tryCount]);
  const found = state.result;
  const loadMore = useCallback((): void => {
    if (asked === null || found === undefined || !found.page.pageInfo.hasNextPage) return;
    void run(async (signal) => {
      const after = found.page.pageInfo.endCursor;
      const page = await client.searchVideos({ ...(JSON.parse(asked) as SearchInput), after }, { signal });
      return { page, results: [...found.results, ...page.edges] };
    });
  }, [client, run, asked, found]);
  return {
    results: found?.results ?? [],
    videoCount: found?.page.videoCount,
    isPending: state.isPending,
    error: state.error,
    retry: useCallback(() => setTryCount((before) => before + 1), []),
    hasMore: found?.page.pageInfo.hasNextPage ?? false,
    loadMore,
  };
}
