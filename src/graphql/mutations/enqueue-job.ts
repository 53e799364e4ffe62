import { enqueueJob } from '../../jobs/enqueue-job.ts';
import { builder } from '../builder.ts';
import { EnqueueJobInput, requestOf } from '../types/enqueue-input.ts';
import { EnqueueJobPayload } from '../types/enqueue-payload.ts';
import {
  DedupeBusy,
  DefinitionInactive,
  Forbidden,
  InvalidArgument,
  InvalidPayload,
  PayloadTooLarge,
  UnknownDefinition,
} from '../types/errors.ts';
import { write } from './write.ts';

builder.mutationField('enqueueJob', (t) =>
  t.field({
    type: EnqueueJobPayload,
    description: 'Enqueues a job. Its payload is checked before anything is written.',
    args: { input: t.arg({ type: EnqueueJobInput, required: true, description: 'The job.' }) },
    errors: {
      union: { name: 'EnqueueJobResult', description: 'The job, or why there is none.' },
      types: [
        UnknownDefinition,
        DefinitionInactive,
        InvalidPayload,
        PayloadTooLarge,
        InvalidArgument,
        Forbidden,
        DedupeBusy,
      ],
    },
    resolve: (_root, { input }, context) =>
      write(context, () => enqueueJob(context.deps.jobs, context.actor, requestOf(input, context))),
  }),
);
