import { redactJob } from '../../operations/redact-job.ts';
import { builder } from '../builder.ts';
import { uuidOf } from '../ids.ts';
import { Busy, Forbidden, InvalidArgument, NotFound, WrongState } from '../types/errors.ts';
import { JobType } from '../types/job.ts';
import { readBack } from './read-back.ts';
import { write } from './write.ts';

const RedactJobInput = builder.inputType('RedactJobInput', {
  description: 'Which job to empty.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Its global id, or its UUID.' }),
    reason: t.string({ description: 'Why, in words; kept in the audit log. 1 to 1000 characters.' }),
  }),
});

const RedactJobPayload = builder.objectRef<{ jobId: string }>('RedactJobPayload').implement({
  description: 'The job is empty.',
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

builder.mutationField('redactJob', (t) =>
  t.field({
    type: RedactJobPayload,
    description:
      'Empties the payload, result, metadata, error texts, outputs and log of a job that has ended, for good. That it ran stays on record. For tenant admins.',
    args: { input: t.arg({ type: RedactJobInput, required: true, description: 'The job.' }) },
    errors: {
      union: { name: 'RedactJobResult', description: 'The job, or why it stays as it is.' },
      types: [NotFound, Forbidden, WrongState, InvalidArgument, Busy],
    },
    resolve: (_root, { input: { id, reason } }, context) =>
      write(context, async () => {
        const jobId = uuidOf('Job', id, 'id');
        await redactJob(context.deps.jobs, context.actor, jobId, reason ?? null);
        return { jobId };
      }),
  }),
);
