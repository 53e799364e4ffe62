import { replayJob } from '../../jobs/replay-job.ts';
import { builder } from '../builder.ts';
import { uuidOf } from '../ids.ts';
import {
  ActiveDuplicate,
  DedupeBusy,
  DefinitionInactive,
  Forbidden,
  InvalidArgument,
  InvalidPayload,
  NotFound,
  PayloadTooLarge,
  WrongState,
} from '../types/errors.ts';
import { JobType } from '../types/job.ts';
import { readBack } from './read-back.ts';
import { write } from './write.ts';

const ReplayJobInput = builder.inputType('ReplayJobInput', {
  description: 'Which ended job to replay, and with what.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Its global id, or its UUID.' }),
    payload: t.field({
      type: 'JSON',
      description: 'In place of its payload, checked as one of `enqueueJob`; the same by default.',
    }),
    priority: t.int({ description: '0 to 1000000; the same by default.' }),
    scheduledFor: t.field({ type: 'DateTime', description: 'Not to be run before; now by default.' }),
  }),
});

const ReplayJobPayload = builder.objectRef<{ jobId: string }>('ReplayJobPayload').implement({
  description: 'The new job is in the queue; the ended one stays as it is.',
  fields: (t) => ({
    job: t.field({
      type: JobType,
      nullable: true,
      description: 'The new job; its `replayOf` is the ended one.',
      resolve: ({ jobId }, _args, context) =>
        readBack(context, (loaders) => loaders.job.load(jobId), `Job ${jobId}`),
    }),
  }),
});

builder.mutationField('replayJob', (t) =>
  t.field({
    type: ReplayJobPayload,
    description:
      'Makes a new job from one that has ended in whatever way, with its payload or another. Who may enqueue the definition may replay its jobs.',
    args: { input: t.arg({ type: ReplayJobInput, required: true, description: 'The job.' }) },
    errors: {
      union: { name: 'ReplayJobResult', description: 'The new job, or why there is none.' },
      types: [
        NotFound,
        Forbidden,
        WrongState,
        ActiveDuplicate,
        DefinitionInactive,
        InvalidPayload,
        PayloadTooLarge,
        InvalidArgument,
        DedupeBusy,
      ],
    },
    resolve: (_root, { input: { id, ...changes } }, context) =>
      write(context, async () => {
        const ended = uuidOf('Job', id, 'id');
        const result = await replayJob(context.deps.jobs, context.actor, ended, changes);
        return { jobId: result.id };
      }),
  }),
);
