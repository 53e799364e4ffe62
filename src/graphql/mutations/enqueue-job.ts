import type { EnqueueResult } from '../../core/queue.ts';
import { enqueueJob } from '../../jobs/enqueue-job.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import {
  DedupeBusy,
  DefinitionInactive,
  Forbidden,
  InvalidArgument,
  InvalidPayload,
  UnknownDefinition,
} from '../types/errors.ts';
import { JobType } from '../types/job.ts';
import { SubjectInput, subjectOf } from '../types/subject.ts';
import { write, written } from './write.ts';

const EnqueueJobInput = builder.inputType('EnqueueJobInput', {
  description: 'What to do, and when.',
  fields: (t) => ({
    definition: t.string({ required: true, description: 'Key of the job definition: `echo`.' }),
    payload: t.field({
      type: 'JSON',
      description: 'Checked against the definition’s JSON Schema; at most 1 MiB.',
    }),
    priority: t.int({ description: '0 to 1000000; lower runs first. 100 by default.' }),
    scheduledFor: t.field({ type: 'DateTime', description: 'Not to be run before; now by default.' }),
    dedupeKey: t.string({
      description: 'With an active job of the same key, that job is returned instead of a new one.',
    }),
    correlationId: t.string({ description: 'Ties jobs together; 1 to 255 characters.' }),
    subject: t.field({ type: SubjectInput, description: 'What it is about.' }),
    maxAttempts: t.int({ description: 'Runs in all, 1 to 1000; the definition’s by default.' }),
  }),
});

const EnqueueJobPayload = builder.objectRef<EnqueueResult>('EnqueueJobPayload').implement({
  description: 'The job is in the queue.',
  fields: (t) => ({
    job: t.field({
      type: JobType,
      description: 'The job.',
      resolve: ({ id }, _args, context) => written(loadersOf(context).job.load(id), `Job ${id}`),
    }),
    created: t.boolean({
      description: 'False when an active job with the same dedupe key was there already.',
      resolve: ({ kind }) => kind === 'created',
    }),
  }),
});

builder.mutationField('enqueueJob', (t) =>
  t.field({
    type: EnqueueJobPayload,
    description: 'Enqueues a job. Its payload is checked before anything is written.',
    args: { input: t.arg({ type: EnqueueJobInput, required: true, description: 'The job.' }) },
    errors: {
      union: { name: 'EnqueueJobResult', description: 'The job, or why there is none.' },
      types: [UnknownDefinition, DefinitionInactive, InvalidPayload, InvalidArgument, Forbidden, DedupeBusy],
    },
    resolve: (_root, { input: { definition, subject, ...rest } }, context) => {
      const request = {
        ...rest,
        definitionKey: definition,
        payload: rest.payload,
        subject: subjectOf(subject),
      };
      return write(context, () => enqueueJob(context.deps.jobs, context.actor, request));
    },
  }),
);
