import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { type MillraceClient, MillraceError } from '../../src/client/index.ts';
import { useMillrace } from '../../src/react/index.ts';
import { type JobFilter, JobPage } from '../api/operations.gen.ts';
import { run } from '../api/run.ts';
import { LIVE } from '../api/use-act.ts';
import { useUnlessPaused } from '../frame/pause.tsx';
import { JobFeed } from './job-feed.ts';
import { changesFilter, matches } from './job-params.ts';
import type { ListedJob } from './listed-job.ts';
import { nextMoment } from './live-changes.ts';

const PAGE_SIZE = 50;

export interface JobRows {
  readonly rows: readonly ListedJob[];
  /** Jobs that match and are not shown yet, so that no row moves under a pointer. */
  readonly newCount: number;
  readonly isLoading: boolean;
  readonly isPartial: boolean;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly error: unknown;
  showNew(): void;
  loadMore(): void;
}

/** The jobs that match, page by page, each row kept current by one stream that goes on where it was. */
export function useJobRows(filter: JobFilter): JobRows {
  const client = useMillrace();
  const queries = useQueryClient();
  const text = JSON.stringify(filter);
  const key = useMemo(() => ['jobs', text], [text]);
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: async ({ pageParam, signal }) => {
      const asOf = nextMoment();
      return { ...(await pageOf(client, text, { first: PAGE_SIZE, after: pageParam }, signal)), asOf };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    meta: LIVE,
  });
  const pages = query.data?.pages;
  const feed = useMemo(() => feedOf(client, text), [client, text]);
  const changes = useUnlessPaused(useSyncExternalStore(feed.subscribe, () => feed.changes));
  const problem = useSyncExternalStore(feed.subscribe, () => feed.problem);
  useLayoutEffect(() => feed.show(pages ?? []), [feed, pages]);
  const [followCount, setFollowCount] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: again when somebody asks for it
  useEffect(() => feed.follow(), [feed, followCount]);
  const rows = useMemo(() => changes.over(pages ?? []), [pages, changes]);
  const hasMore = query.hasNextPage;
  const asOf = pages?.[0]?.asOf ?? Number.POSITIVE_INFINITY;
  const newCount = useMemo(() => changes.newAmong(rows, hasMore, asOf), [changes, rows, hasMore, asOf]);
  const showNew = useCallback(() => {
    void queries.resetQueries({ queryKey: key });
    if (feed.problem !== null) setFollowCount((before) => before + 1);
  }, [queries, key, feed]);
  const isEmpty = query.isSuccess && rows.length === 0;
  useEffect(() => {
    // Nothing can move where nothing is.
    if (isEmpty && newCount > 0) showNew();
  }, [isEmpty, newCount, showNew]);
  return {
    rows,
    newCount,
    isLoading: query.isPending,
    isPartial: pages?.at(-1)?.isPartial ?? false,
    hasMore,
    isLoadingMore: query.isFetchingNextPage,
    error: query.error ?? problem,
    showNew,
    loadMore: useCallback(() => void query.fetchNextPage(), [query.fetchNextPage]),
  };
}

function feedOf(client: MillraceClient, filterText: string): JobFeed {
  const filter = JSON.parse(filterText) as JobFilter;
  return new JobFeed({
    watch: (after, signal) => client.watchJobs(changesFilter(filter), { signal, after }),
    matches: (job) => matches(filter, job),
    readNewest: async (signal) => (await pageOf(client, filterText, { first: PAGE_SIZE }, signal)).nodes,
    readByIds: async (ids, signal) => {
      const some = JSON.stringify({ ...filter, ids });
      return (await pageOf(client, some, { first: ids.length }, signal)).nodes;
    },
  });
}

async function pageOf(
  client: MillraceClient,
  filterText: string,
  part: { readonly first: number; readonly after?: string | null },
  signal: AbortSignal,
) {
  const { jobs } = await run(
    client,
    JobPage,
    { filter: JSON.parse(filterText) as JobFilter, ...part },
    signal,
  );
  if (jobs === null) throw new MillraceError('FORBIDDEN', 'Jobs are read with the scope jobs:read.');
  return jobs;
}
