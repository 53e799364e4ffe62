import { useQuery } from '@tanstack/react-query';
import type { MillraceClient } from '../../src/client/index.ts';
import { useMillrace } from '../../src/react/index.ts';
import {
  LongestWaiting,
  type LongestWaitingResult,
  QueuedJobs,
  type QueuedJobsResult,
} from '../api/operations.gen.ts';
import { run } from '../api/run.ts';
import { kept, type Read } from '../api/use-operation.ts';

const MAX_SHOWN = 6;
/** Pages of 100 jobs: any number may be scheduled for later, and they stand among the due ones. */
const MAX_PAGES = 5;

type WaitingJob = NonNullable<LongestWaitingResult['jobs']>['nodes'][number];

export interface LongestWaits {
  /** Those that are due, the longest wait first. */
  readonly jobs: readonly WaitingJob[];
  /** How many of the oldest queued jobs were looked at, where there are more; null for all. */
  readonly lookedAtCount: number | null;
}

/** The queued jobs whose time came longest ago, read again every five seconds. */
export function useLongestWaiting(): Read<LongestWaits> {
  const client = useMillrace();
  return kept(
    useQuery<LongestWaits>({
      queryKey: ['longest-waiting'],
      queryFn: ({ signal }) => longestWaits(client, signal),
      refetchInterval: 5_000,
    }),
  );
}

async function longestWaits(client: MillraceClient, signal: AbortSignal): Promise<LongestWaits> {
  const { due, lookedAtCount } = await dueJobs(client, signal);
  if (due.length === 0) return { jobs: [], lookedAtCount };
  const { jobs } = await run(client, LongestWaiting, { ids: due.map(({ id }) => id) }, signal);
  return { jobs: (jobs?.nodes ?? []).toSorted(byTime), lookedAtCount };
}

/** From the oldest queued job on, until there are enough due ones or a page is the last. */
async function dueJobs(client: MillraceClient, signal: AbortSignal) {
  const due: { readonly id: string; readonly scheduledFor: string }[] = [];
  let before: string | null = null;
  let lookedAtCount = 0;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { jobs }: QueuedJobsResult = await run(client, QueuedJobs, { before }, signal);
    const nowMs = Date.now();
    const nodes = jobs?.nodes ?? [];
    lookedAtCount += nodes.length;
    due.push(...nodes.filter(({ scheduledFor }) => Date.parse(scheduledFor) <= nowMs));
    if (jobs?.pageInfo.hasPreviousPage !== true) return { due: longest(due), lookedAtCount: null };
    if (due.length >= MAX_SHOWN) break;
    before = jobs.pageInfo.startCursor;
  }
  return { due: longest(due), lookedAtCount };
}

const longest = <Job extends { readonly scheduledFor: string }>(jobs: readonly Job[]): readonly Job[] =>
  jobs.toSorted(byTime).slice(0, MAX_SHOWN);

function byTime(a: { readonly scheduledFor: string }, b: { readonly scheduledFor: string }): number {
  return Date.parse(a.scheduledFor) - Date.parse(b.scheduledFor);
}
