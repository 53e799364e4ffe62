import type { Static } from 'typebox';
import type { JobRow } from '../../db/prisma.ts';
import { type Attempt, runningAttempt } from '../../graphql/types/job-attempt.ts';
import { notFound } from '../../jobs/not-found.ts';
import { readJob } from '../../jobs/read-one.ts';
import type { RestContext } from '../context.ts';
import { defineRoute } from '../route.ts';
import { AttemptListSchema, type AttemptSchema } from '../schemas/attempt.ts';
import { shownError, timeOrNull, timeText } from '../shown-job.ts';
import { JOB_PARAMS } from './jobs.ts';

const listAttempts = defineRoute({
  method: 'GET',
  path: '/jobs/:job_id/attempts',
  operationId: 'listJobAttempts',
  tag: 'Jobs',
  summary: 'List the runs of a job, oldest first',
  need: readJob.need,
  params: JOB_PARAMS,
  answer: AttemptListSchema,
  errors: ['NotFound'],
  example: { params: { job_id: '{job_id}' }, answer: { data: [] } },
  run: async (context, { params }) => {
    const job = await foundJob(context, params.job_id);
    const settled = await context.operation.loaders.attempts.load(job.id);
    const running = runningAttempt(job);
    return { data: (running === null ? settled : [...settled, running]).map(shownAttempt) };
  },
});

/** @throws DomainError `NotFound` */
export async function foundJob(context: RestContext, jobId: string): Promise<JobRow> {
  const id = jobId.toLowerCase();
  const job = await readJob(context.operation.loaders.job, context.caller, id);
  if (job !== null) return job;
  throw notFound('job', id);
}

function shownAttempt(attempt: Attempt): Static<typeof AttemptSchema> {
  return {
    attempt_no: attempt.attemptNo,
    status: attempt.status as Static<typeof AttemptSchema>['status'],
    worker_id: attempt.workerId,
    claimed_at: timeText(attempt.claimedAt),
    started_at: timeOrNull(attempt.startedAt),
    finished_at: timeOrNull(attempt.finishedAt),
    error: shownError(attempt.error),
    wall_ms: attempt.wallMs,
    cpu_ms: attempt.cpuMs,
    pid: attempt.pid,
    exit_code: attempt.exitCode,
    signal: attempt.signal,
    stdout_tail: attempt.stdoutTail,
    stderr_tail: attempt.stderrTail,
  };
}

export const attemptRoutes = [listAttempts];
