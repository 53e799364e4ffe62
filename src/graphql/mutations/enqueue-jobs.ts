import type { DomainError } from '../../core/errors.ts';
import type { EnqueueResult } from '../../core/queue.ts';
import { enqueueJobs, MAX_JOBS_A_CALL } from '../../jobs/enqueue-jobs.ts';
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

const EnqueueJobsInput = builder.inputType('EnqueueJobsInput', {
  description: 'What to do, and when, several times.',
  fields: (t) => ({
    jobs: t.field({
      type: [EnqueueJobInput],
      required: true,
      description: `The jobs: at most ${MAX_JOBS_A_CALL}.`,
    }),
  }),
});

const EnqueueJobsPayload = builder
  .objectRef<readonly (EnqueueResult | DomainError)[]>('EnqueueJobsPayload')
  .implement({
    description: 'Every good job of the call is in the queue.',
    fields: (t) => ({
      results: t.field({
        type: [EnqueueJobPayload],
        description: 'One result a job, in order. The field of an error begins with `jobs[i]`.',
        itemErrors: {
          union: { name: 'EnqueueJobsItem', description: 'What became of one job of the call.' },
          types: [
            UnknownDefinition,
            DefinitionInactive,
            InvalidPayload,
            PayloadTooLarge,
            InvalidArgument,
            Forbidden,
          ],
        },
        // The plugin takes errors among the items for what they are.
        resolve: (results) => results as readonly EnqueueResult[],
      }),
    }),
  });

builder.mutationField('enqueueJobs', (t) =>
  t.field({
    type: EnqueueJobsPayload,
    description: `Enqueues many jobs, at most ${MAX_JOBS_A_CALL}; all good ones in one transaction. A bad one fails nobody else.`,
    args: { input: t.arg({ type: EnqueueJobsInput, required: true, description: 'The jobs.' }) },
    errors: {
      union: {
        name: 'EnqueueJobsResult',
        description: 'A result for each job, or why there is none for any.',
      },
      types: [InvalidArgument, PayloadTooLarge, Forbidden, DedupeBusy],
    },
    // Times 5, the default of a list within.
    complexity: ({ input: { jobs } }) => ({ field: 1, multiplier: Math.max(1, jobs.length / 5) }),
    resolve: (_root, { input: { jobs } }, context) =>
      write(context, async () => {
        const items = jobs.map((job) => ({
          definitionKey: job.definition,
          request: () => requestOf(job, context),
        }));
        const results = await enqueueJobs(context.deps.jobs, context.actor, items);
        return results.map((result) => (result.kind === 'invalid' ? result.error : result));
      }),
  }),
);
