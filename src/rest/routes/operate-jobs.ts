import { cancelJob } from '../../jobs/cancel-job.ts';
import { retryJob } from '../../jobs/retry-job.ts';
import { defineAction } from '../route.ts';
import { Type } from '../schema.ts';
import { JobSchema } from '../schemas/job.ts';
import { JOB_PARAMS, jobById } from './jobs.ts';

const cancel = defineAction({
  method: 'POST',
  path: '/jobs/:job_id/cancel',
  operationId: 'cancelJob',
  tag: 'Jobs',
  summary: 'Cancel a job',
  description:
    'A queued job ends at once; a running one is asked to stop, which its worker hears within a second.',
  need: cancelJob.need,
  params: JOB_PARAMS,
  body: Type.Object(
    {
      reason: Type.Optional(Type.NullableString({ description: 'Why, for people: at most 500 characters.' })),
    },
    { title: 'CancelJob', additionalProperties: false },
  ),
  isBodyOptional: true,
  answer: JobSchema,
  errors: ['NotFound', 'WrongState', 'InvalidArgument', 'Busy'],
  example: { params: { job_id: '{queued_job_id}' }, body: { reason: 'Not needed any more' }, answer: {} },
  act: ({ deps, caller }, { params, body }) =>
    cancelJob(deps.jobs, caller, params.job_id.toLowerCase(), body.reason ?? null),
  show: (context, _outcome, { params }) => jobById(context, params.job_id),
});

const retry = defineAction({
  method: 'POST',
  path: '/jobs/:job_id/retry',
  operationId: 'retryJob',
  tag: 'Jobs',
  summary: 'Retry a job',
  description: 'Puts a job that is failed, dead_letter or canceled back into the queue, with a fresh budget.',
  need: retryJob.need,
  params: JOB_PARAMS,
  body: Type.Object({}, { title: 'RetryJob', additionalProperties: false }),
  isBodyOptional: true,
  answer: JobSchema,
  errors: ['NotFound', 'WrongState', 'StillRunning', 'ActiveDuplicate', 'Busy'],
  example: { params: { job_id: '{canceled_job_id}' }, answer: {} },
  act: ({ deps, caller }, { params }) => retryJob(deps.jobs, caller, params.job_id.toLowerCase()),
  show: (context, _outcome, { params }) => jobById(context, params.job_id),
});

export const operateJobRoutes = [cancel, retry];
