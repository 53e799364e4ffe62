'use client';

import type { JobChangesFilter, JobsState } from '../client/index.ts';
import { IDLE } from '../client/status.ts';
import { type UseList, useList } from './use-list.ts';
import type { ViewKind } from './use-view.ts';

export type UseJobs = UseList<JobsState>;

const JOBS: ViewKind<JobsState> = {
  name: 'jobs',
  idle: { jobs: [], isReady: false, isComplete: true, connection: IDLE },
  open: (client, filter) => client.viewJobs(JSON.parse(filter) as JobChangesFilter),
};

/** The jobs that match, live. The filter may be written in place: it is compared by what is in it. */
export function useJobs(filter: JobChangesFilter = {}): UseJobs {
  return useList(JOBS, filter);
}
