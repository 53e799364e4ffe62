'use client';

import { useMemo } from 'react';
import type { JobDetails, NodeState } from '../client/index.ts';
import { IDLE } from '../client/status.ts';
import { type HookConnection, useNode } from './use-node.ts';
import type { ViewKind } from './use-view.ts';

export interface UseJob extends HookConnection {
  /** Undefined before it has come, null once it was deleted. */
  readonly job: JobDetails | null | undefined;
}

const JOB: ViewKind<NodeState<JobDetails>> = {
  name: 'job',
  idle: { value: undefined, connection: IDLE },
  open: (client, id) => client.viewJob(id),
};

/** A job, live. @param id its global id or UUID; with null there is nothing to watch yet */
export function useJob(id: string | null | undefined): UseJob {
  const { value: job, connection, error, reopen } = useNode(JOB, id);
  return useMemo(() => ({ job, connection, error, reopen }), [job, connection, error, reopen]);
}
