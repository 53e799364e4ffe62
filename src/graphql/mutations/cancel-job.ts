import { cancelJob } from '../../jobs/cancel-job.ts';
import { builder } from '../builder.ts';
import { uuidOf } from '../ids.ts';
import { Busy, Forbidden, InvalidArgument, NotFound, WrongState } from '../types/errors.ts';
import { JobType } from '../types/job.ts';
import { readBack } from './read-back.ts';
import { write } from './write.ts';

const CancelJobInput = builder.inputType('CancelJobInput', {
  description: 'Which job to cancel.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Its global id, or its UUID.' }),
    reason: t.string({ description: 'Why, in words; kept on the job. 1 to 1000 characters.' }),
  }),
});

const CancelJobPayload = builder
  .objectRef<{ jobId: string; requested: boolean }>('CancelJobPayload')
  .implement({
    description: 'The job is canceled, or its worker has been asked to stop.',
    fields: (t) => ({
      job: t.field({
        type: JobType,
        nullable: true,
        description: 'The job.',
        resolve: ({ jobId }, _args, context) =>
          readBack(context, (loaders) => loaders.job.load(jobId), `Job ${jobId}`),
      }),
      isCancelRequested: t.exposeBoolean('requested', {
        description:
          'True for a running job: its worker hears within a second and ends it. If it is done first, it stays done.',
      }),
    }),
  });

builder.mutationField('cancelJob', (t) =>
  t.field({
    type: CancelJobPayload,
    description: 'Cancels a queued job at once and asks a running one to stop. Members may cancel their own.',
    args: { input: t.arg({ type: CancelJobInput, required: true, description: 'The job.' }) },
    errors: {
      union: { name: 'CancelJobResult', description: 'The job, or why it goes on.' },
      types: [NotFound, Forbidden, WrongState, InvalidArgument, Busy],
    },
    resolve: (_root, { input }, context) =>
      write(context, async () => {
        const jobId = uuidOf('Job', input.id, 'id');
        const result = await cancelJob(context.deps.jobs, context.actor, jobId, input.reason ?? null);
        return { jobId, requested: result === 'requested' };
      }),
  }),
);
