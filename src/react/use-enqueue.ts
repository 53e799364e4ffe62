'use client';

import { useCallback } from 'react';
import type { EnqueueJobInput, JobDetails, MillraceError } from '../client/index.ts';
import { useMillrace } from './provider.ts';
import { useAction } from './use-action.ts';
import { useJob } from './use-job.ts';

export interface UseEnqueue {
  /** Enqueues a job. @returns it; undefined when it was refused, which `error` then says */
  readonly enqueue: (input: EnqueueJobInput) => Promise<JobDetails | undefined>;
  /** The job that was enqueued last, live; null once it was deleted. */
  readonly job: JobDetails | null | undefined;
  readonly isPending: boolean;
  /** Why the last one was refused: its `field`, `allowed` and `problems` belong beside the form's fields. */
  readonly error: MillraceError | null;
  /** Forgets the job and the error. */
  readonly reset: () => void;
}

/** Enqueues jobs, and follows the last one. */
export function useEnqueue(): UseEnqueue {
  const client = useMillrace();
  const { state, run, reset } = useAction<JobDetails>();
  const enqueue = useCallback(
    (input: EnqueueJobInput) => run(async (signal) => (await client.enqueue(input, { signal })).job),
    [client, run],
  );
  const { job } = useJob(state.result?.id);
  return {
    enqueue,
    job: job === undefined ? state.result : job,
    isPending: state.isPending,
    error: state.error,
    reset,
  };
}
