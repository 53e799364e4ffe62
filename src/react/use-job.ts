'use client';

import { useMemo } from 'react';
import type { JobDetails, MillraceError, NodeState, WatchState } from '../client/index.ts';
import { IDLE } from '../client/status.ts';
import { useView, type ViewKind } from './use-view.ts';

export interface UseJob {
  /** Undefined before it has come, null once it was deleted. */
  readonly job: JobDetails | null | undefined;
  readonly connection: WatchState;
  /** Why the connection waits, or why it has ended: `NOT_FOUND`, `UNAUTHENTICATED` … */
  readonly error: MillraceError | null;
}

const JOB: ViewKind<NodeState<JobDetails>> = {
  name: 'job',
  idle: { value: undefined, connection: IDLE },
  open: (client, id) => client.viewJob(id),
};

/** A job, live. @param id its global id or UUID; with null there is nothing to watch yet */
export function useJob(id: string | null | undefined): UseJob {
  const state = useView(JOB, id ?? null);
  return useMemo(
    () => ({ job: state.value, connection: state.connection.state, error: state.connection.error }),
    [state],
  );
}
