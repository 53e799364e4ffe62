import { retryJobs } from '../../jobs/retry-jobs.ts';
import { builder } from '../builder.ts';
import { RetryJobsPayload, selectionComplexity } from '../types/bulk.ts';
import { Forbidden, InvalidArgument, UnknownDefinition } from '../types/errors.ts';
import { JobFilterInput, jobFilterOf } from '../types/job-filter.ts';
import { write } from './write.ts';

const RetryJobsInput = builder.inputType('RetryJobsInput', {
  description:
    'Which jobs to retry. Without `ids` and `statuses`: those that are FAILED, DEAD_LETTER or CANCELED.',
  fields: (t) => ({
    filter: t.field({ type: JobFilterInput, required: true, description: 'At least one condition.' }),
    spreadSeconds: t.int({
      description: 'They become ready at random times within N seconds, 0 to 86400; all at once by default.',
    }),
    limit: t.int({ description: 'At most N jobs, oldest first: 1 to 10000, 1000 by default.' }),
    after: t.string({ description: 'Go on behind the last call: its `endCursor`.' }),
  }),
});

builder.mutationField('retryJobs', (t) =>
  t.field({
    type: RetryJobsPayload,
    description:
      'Puts many jobs back into the queue with a fresh budget, 500 a transaction. For tenant admins.',
    args: { input: t.arg({ type: RetryJobsInput, required: true, description: 'Which ones.' }) },
    errors: {
      union: { name: 'RetryJobsResult', description: 'What was done, or why nothing was.' },
      types: [Forbidden, InvalidArgument, UnknownDefinition],
    },
    complexity: ({ input }) => selectionComplexity(input),
    resolve: (_root, { input }, context) =>
      write(context, async () => {
        const { filter, spreadSeconds = null, limit, after } = input;
        const request = { filter: jobFilterOf(filter, context), spreadSeconds, limit, after };
        return retryJobs(
          { ...context.deps.jobs, reads: context.operation.transaction },
          context.actor,
          request,
        );
      }),
  }),
);
