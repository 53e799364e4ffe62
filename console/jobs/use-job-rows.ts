import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Job, type MillraceClient, MillraceError } from '../../src/client/index.ts';
import { useMillrace } from '../../src/react/index.ts';
import { type JobFilter, JobPage, type JobRow } from '../api/operations.gen.ts';
import { run } from '../api/run.ts';
import { useUnlessPaused } from '../frame/pause.tsx';
import { changesFilter, matches } from './job-params.ts';
import type { ListedJob } from './listed-job.ts';
import { type Change, LiveChanges } from './live-changes.ts';
import { PayloadAsker } from './payload-asker.ts';
import { useIsAwake } from './use-is-awake.ts';

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
  readonly updatedAtMs: number;
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
    queryFn: ({ pageParam, signal }) => pageOf(client, text, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [changes, setChanges] = useState(() => new LiveChanges());
  const pages = query.data?.pages;
  const shown = useRef<ReadonlySet<string>>(new Set());
  shown.current = useMemo(() => new Set(pages?.flatMap(({ nodes }) => nodes.map(({ id }) => id))), [pages]);
  useChanges(client, text, shown, setChanges);
  const live = useUnlessPaused(changes);
  const rows = useMemo(() => live.over(pages?.flatMap(({ nodes }) => nodes) ?? []), [pages, live]);
  const hasMore = query.hasNextPage;
  const newCount = useMemo(() => live.newAmong(rows, hasMore), [live, rows, hasMore]);
  const showNew = useCallback(() => {
    void queries.resetQueries({ queryKey: key }).then(() => setChanges((before) => before.seen()));
  }, [queries, key]);
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
    error: query.error,
    updatedAtMs: query.dataUpdatedAt,
    showNew,
    loadMore: useCallback(() => void query.fetchNextPage(), [query.fetchNextPage]),
  };
}

async function pageOf(client: MillraceClient, filter: string, after: string | null, signal?: AbortSignal) {
  const variables = { filter: JSON.parse(filter) as JobFilter, first: PAGE_SIZE, after };
  const { jobs } = await run(client, JobPage, variables, signal);
  if (jobs === null) throw new MillraceError('FORBIDDEN', 'Jobs are read with the scope jobs:read.');
  return jobs;
}

const MAX_IDS = 100;

/** Rows as they are now, where no stream has followed them so far; those that no longer match are gone. */
async function* readAgain(
  client: MillraceClient,
  filterText: string,
  ids: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Change> {
  const filter = JSON.parse(filterText) as JobFilter;
  for (let at = 0; at < ids.length; at += MAX_IDS) {
    const some = ids.slice(at, at + MAX_IDS);
    const { jobs } = await run(client, JobPage, { filter: { ...filter, ids: some }, first: MAX_IDS }, signal);
    const found = new Set(jobs?.nodes.map(({ id }) => id));
    for (const job of jobs?.nodes ?? []) yield { job };
    for (const id of some) if (!found.has(id)) yield { goneId: id };
  }
}

/**
 * Follows the stream. What came between the page and the stream's beginning is asked for once that stands.
 */
function useChanges(
  client: MillraceClient,
  filterText: string,
  shown: RefObject<ReadonlySet<string>>,
  setChanges: (change: (before: LiveChanges) => LiveChanges) => void,
): void {
  const isAwake = useIsAwake();
  // Where the stream was when the tab fell asleep: it goes on there, so nothing is missed.
  const place = useRef<{ readonly filterText: string; readonly cursor: string | null } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter begins with no changes
  useEffect(() => setChanges(() => new LiveChanges()), [filterText, setChanges]);
  useEffect(() => {
    if (!isAwake) return undefined;
    const filter = JSON.parse(filterText) as JobFilter;
    const ending = new AbortController();
    const { signal } = ending;
    let waiting: Change[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    // At most some ten renderings a second, however many jobs change.
    const apply = (change: Change): void => {
      waiting.push(change);
      timer ??= setTimeout(() => {
        timer = undefined;
        const all = waiting;
        waiting = [];
        setChanges((before) => before.with(all, shown.current));
      }, 80);
    };
    const put = (job: Job | JobRow): void => {
      if (matches(filter, job)) apply({ job });
    };
    const asker = new PayloadAsker((ids) => readAgain(client, filterText, ids, signal), apply);
    const isAsked = (id: string): boolean =>
      filter.payloadContains == null || shown.current.has(id) || asker.isMatching(id);
    const after = place.current?.filterText === filterText ? place.current.cursor : null;
    // A stream that begins, or begins again, says nothing of rows that have left before it did.
    let mayHaveLeft = after === null;
    const watch = client.watchJobs(changesFilter(filter), { signal, after });
    const follow = async (): Promise<void> => {
      for await (const event of watch) {
        if (event.__typename === 'JobUpdated' && event.job !== null && isAsked(event.job.id)) put(event.job);
        if (event.__typename === 'JobLeft' || event.__typename === 'JobRemoved')
          apply({ goneId: event.jobId });
        if (event.__typename === 'ResyncRequired') mayHaveLeft = true;
        if (event.__typename !== 'FeedReady') continue;
        const first = (await pageOf(client, filterText, null, signal)).nodes;
        for (const job of first) put(job);
        if (!mayHaveLeft) continue;
        mayHaveLeft = false;
        const read = new Set(first.map(({ id }) => id));
        const others = [...shown.current].filter((id) => !read.has(id));
        for await (const change of readAgain(client, filterText, others, signal)) apply(change);
      }
    };
    // The connection's state is shown by the frame; a stream that cannot be had leaves the pages as they are.
    follow().catch(() => undefined);
    return () => {
      clearTimeout(timer);
      asker.stop();
      if (waiting.length > 0) setChanges((before) => before.with(waiting, shown.current));
      place.current = { filterText, cursor: watch.cursor };
      ending.abort();
    };
  }, [client, filterText, isAwake, shown, setChanges]);
}
