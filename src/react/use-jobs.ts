'use client';

import { useMemo } from 'react';
import type { Job, JobChangesFilter, JobsState, MillraceError, WatchState } from '../client/index.ts';
import { IDLE } from '../client/status.ts';
import { useView, type ViewKind } from './use-view.ts';

export interface UseJobs {
  /** Newest first. */
  readonly jobs: readonly Job[];
  /** Whether this is all that matched a moment ago. */
  readonly isReady: boolean;
  /** False when more jobs match than are shown. */
  readonly isComplete: boolean;
  readonly connection: WatchState;
  /** Why the connection waits, or why it has ended. */
  readonly error: MillraceError | null;
}

const JOBS: ViewKind<JobsState> = {
  name: 'jobs',
  idle: { jobs: [], isReady: false, isComplete: true, connection: IDLE },
  open: (client, filter) => client.viewJobs(JSON.parse(filter) as JobChangesFilter),
};

/** The jobs that match, live. The filter may be written in place: it is compared by what is in it. */
export function useJobs(filter: JobChangesFilter = {}): UseJobs {
  const state = useView(JOBS, JSON.stringify(filter));
  return useMemo(() => {
    const { connection, ...rest } = state;
    return { ...rest, connection: connection.state, error: connection.error };
  }, [state]);
}
