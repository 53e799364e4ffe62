import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useJobs, useMillrace } from '../../src/react/index.ts';
import { JobDetail, type JobDetailResult } from '../api/operations.gen.ts';
import { run } from '../api/run.ts';
import { useUnlessPaused } from '../frame/pause.tsx';

const WAITING_MS = 10_000;

export type Detail = NonNullable<JobDetailResult['job']>;

/**
 * A job with all that its page shows but its data, live. The stream is that of a list with this one job: it
 * carries neither payload nor result, which may be megabytes, and what it does not carry is read again when
 * the job has changed.
 */
export function useJobDetail(id: string) {
  const client = useMillrace();
  const filter = useMemo(() => ({ ids: [id], sinceSeconds: 86_400 }), [id]);
  const { jobs } = useJobs(filter);
  const live = jobs[0];
  const query = useQuery({
    queryKey: ['job', id],
    queryFn: async ({ signal }) => (await run(client, JobDetail, { id }, signal)).job,
    staleTime: 0,
    // Why it waits changes without a change of the job: another one ends, a worker comes.
    refetchInterval: ({ state }) => (state.data?.status === 'QUEUED' ? WAITING_MS : false),
  });
  const { data, refetch } = query;
  const step =
    live === undefined
      ? ''
      : `${live.status} ${live.runNo} ${live.attemptCount} ${live.isCancelRequested} ${live.priority} ${live.scheduledFor}`;
  useEffect(() => {
    if (step === '') return undefined;
    const timer = setTimeout(() => void refetch(), 150);
    return () => clearTimeout(timer);
  }, [step, refetch]);
  const job = useMemo(() => {
    if (data === undefined || data === null) return data;
    const isNewer = live !== undefined && BigInt(live.version) >= BigInt(data.version);
    return isNewer ? { ...data, ...live } : data;
  }, [data, live]);
  return { job: useUnlessPaused(job), error: query.error, refetch };
}
