import { retryJob } from '../../jobs/retry-job.ts';
import { builder } from '../builder.ts';
import { uuidOf } from '../ids.ts';
import {
  ActiveDuplicate,
  Busy,
  Forbidden,
  InvalidArgument,
  NotFound,
  StillRunning,
  WrongState,
} from '../types/errors.ts';
import { JobType } from '../types/job.ts';
import { readBack } from './read-back.ts';
import { write } from './write.ts';

const RetryJobInput = builder.inputType('RetryJobInput', {
  description: 'Which job to retry.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Its global id, or its UUID.' }) }),
});

const RetryJobPayload = builder.objectRef<{ jobId: string }>('RetryJobPayload').implement({
  description: 'The job is in the queue again.',
  fields: (t) => ({
    job: t.field({
      type: JobType,
      nullable: true,
      description: 'The job.',
      resolve: ({ jobId }, _args, context) =>
        readBack(context, (loaders) => loaders.job.load(jobId), `Job ${jobId}`),
    }),
  }),
});

builder.mutationField('retryJob', (t) =>
  t.field({
    type: RetryJobPayload,
    description:
      'Puts a job that is FAILED, DEAD_LETTER or CANCELED back into the queue with a fresh budget. Members may retry their own.',
    args: { input: t.arg({ type: RetryJobInput, required: true, description: 'The job.' }) },
    errors: {
      union: { name: 'RetryJobResult', description: 'The job, or why it stays as it is.' },
      types: [NotFound, Forbidden, WrongState, StillRunning, ActiveDuplicate, InvalidArgument, Busy],
    },
    resolve: (_root, { input }, context) =>
      write(context, async () => {
        const jobId = uuidOf('Job', input.id, 'id');
        await retryJob(context.deps.jobs, context.actor, jobId);
        return { jobId };
      }),
  }),
);
