import { updateJob } from '../../jobs/update-job.ts';
import { builder } from '../builder.ts';
import { uuidOf } from '../ids.ts';
import { Busy, Forbidden, InvalidArgument, NotFound, WrongState } from '../types/errors.ts';
import { JobType } from '../types/job.ts';
import { readBack } from './read-back.ts';
import { write } from './write.ts';

const UpdateJobInput = builder.inputType('UpdateJobInput', {
  description: 'Which job to change, and what of it; null and absent leave it.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Its global id, or its UUID.' }),
    priority: t.int({ description: '0 to 1000000; lower runs first.' }),
    scheduledFor: t.field({
      type: 'DateTime',
      description: 'Not to be run before. A past time is taken as now.',
    }),
    tags: t.stringList({
      description:
        'Instead of the tags that it has, in whatever state it is; an empty list removes them. At most 20, each of 1 to 64 characters.',
    }),
    metadata: t.field({
      type: 'JSON',
      description:
        'Instead of the metadata that it has, as a whole, in whatever state it is; `{}` removes it. An object of at most 4096 bytes of JSON.',
    }),
  }),
});

const UpdateJobPayload = builder.objectRef<{ jobId: string }>('UpdateJobPayload').implement({
  description: 'The job is changed.',
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

builder.mutationField('updateJob', (t) =>
  t.field({
    type: UpdateJobPayload,
    description:
      'Changes when a job runs, as long as it is QUEUED, and its tags and metadata in any state. Members may change their own.',
    args: { input: t.arg({ type: UpdateJobInput, required: true, description: 'The job.' }) },
    errors: {
      union: { name: 'UpdateJobResult', description: 'The job, or why it stays as it is.' },
      types: [NotFound, Forbidden, WrongState, InvalidArgument, Busy],
    },
    resolve: (_root, { input: { id, ...request } }, context) =>
      write(context, async () => {
        const jobId = uuidOf('Job', id, 'id');
        await updateJob(context.deps.jobs, context.actor, jobId, request);
        return { jobId };
      }),
  }),
);
