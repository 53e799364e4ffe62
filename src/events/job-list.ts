import { searchTextOf } from '../db/job-search-text.ts';
import { type FeedEvent, isOfJob, type JobChange, type JobRemoval } from './change.ts';
import { type CheckedFilter, selects } from './filter.ts';
import type { ListKind } from './list-kind.ts';
import type { StateReader } from './state-reader.ts';

export type JobTrace = JobChange | JobRemoval;

/** Lists of jobs. */
export function jobList(filter: CheckedFilter, states: StateReader): ListKind<JobTrace, FeedEvent> {
  const { tenantId, ids } = filter;
  return {
    name: 'jobs',
    tenantId,
    jobIds: ids,
    isIn: changingPartOf(filter),
    idOf: ({ jobId }) => jobId,
    isDeletion: ({ kind }) => kind === 'removed',
    traceOf: (change) => (isOfJob(change) && selects(filter, change) ? change : null),
    // A job's progress is the job's own.
    followsWork: false,
    workedOn: () => null,
    knownSinceMs: ({ takenAtMs }) =>
      ids === null ? takenAtMs - filter.sinceSeconds * 1_000 : Number.NEGATIVE_INFINITY,
    event: (verdict, trace, cursor) => {
      if (verdict === 'in') return { kind: 'job', change: trace as JobChange, cursor };
      return { kind: verdict === 'left' ? 'jobLeft' : 'jobRemoved', jobId: trace.jobId, cursor };
    },
    initial: () => states.initial(filter),
    missed: (since, start, pageSize) => states.missed(filter, since, start, pageSize),
  };
}

/** What may change about a job: status, end, tags, failed runs, error, and with them the text. */
function changingPartOf({
  statuses,
  tags,
  errorTypes,
  text,
  finishedAfter,
  finishedBefore,
  minAttemptCount,
}: CheckedFilter): ((trace: JobTrace) => boolean) | null {
  const restricting = [statuses, tags, errorTypes, text, finishedAfter, finishedBefore, minAttemptCount];
  if (restricting.every((part) => part === null)) return null;
  const wanted = statuses === null ? null : new Set(statuses);
  const part = text?.toLowerCase() ?? null;
  // A job that has not ended is within no bounds.
  const [fromMs, beforeMs] = [finishedAfter?.getTime() ?? null, finishedBefore?.getTime() ?? null];
  return (trace) =>
    trace.kind === 'job' &&
    wanted?.has(trace.status) !== false &&
    (tags === null || (trace.tags?.some((tag) => tags.includes(tag)) ?? false)) &&
    (minAttemptCount === null || (trace.attemptCount ?? 0) >= minAttemptCount) &&
    (errorTypes === null || errorTypes.includes(trace.error?.type ?? '')) &&
    (part === null || searchTextOf(trace).includes(part)) &&
    (fromMs === null || (trace.finishedMs ?? Number.NEGATIVE_INFINITY) >= fromMs) &&
    (beforeMs === null || (trace.finishedMs ?? Number.POSITIVE_INFINITY) < beforeMs);
}
