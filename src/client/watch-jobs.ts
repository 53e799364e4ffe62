import { ListStreamSpec, type WatchedEvent } from './list-stream-spec.ts';
import type { RowChange } from './live-set.ts';
import { type Job, JobChanges, type JobChangesFilter, type JobChangesResult } from './operations.gen.ts';

type ServerEvent = JobChangesResult['jobChanges'];

/**
 * What a watch of jobs gives, as the schema has it; a `ResyncRequired` may also have a reason of the client's
 * own.
 */
export type JobEvent = WatchedEvent<ServerEvent>;

/** @returns the course of `jobChanges` */
export function jobsStreamSpec(
  filter: JobChangesFilter | null,
  after: string | null,
): ListStreamSpec<JobChangesResult, JobChangesFilter, ServerEvent> {
  return new ListStreamSpec(
    { operation: JobChanges, read: ({ jobChanges }: JobChangesResult) => jobChanges },
    filter,
    after,
  );
}

/** What an event means for the set of jobs. */
export function jobChangeOf(event: JobEvent): RowChange<Job> {
  switch (event.__typename) {
    case 'JobUpdated':
      return { row: event.job };
    case 'JobLeft':
    case 'JobRemoved':
      return { removedId: event.jobId };
    default:
      return { feed: event };
  }
}
