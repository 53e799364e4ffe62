import { cancelJobs } from '../../jobs/cancel-jobs.ts';
import { builder } from '../builder.ts';
import { CancelJobsPayload, selectionComplexity } from '../types/bulk.ts';
import { Forbidden, InvalidArgument, UnknownDefinition } from '../types/errors.ts';
import { JobFilterInput, jobFilterOf } from '../types/job-filter.ts';
import { write } from './write.ts';

const CancelJobsInput = builder.inputType('CancelJobsInput', {
  description: 'Which jobs to cancel. Without `ids` and `statuses`: those that are queued or running.',
  fields: (t) => ({
    filter: t.field({ type: JobFilterInput, required: true, description: 'At least one condition.' }),
    reason: t.string({ description: 'Why, in words; kept on the jobs. 1 to 1000 characters.' }),
    limit: t.int({ description: 'At most N jobs, oldest first: 1 to 10000, 1000 by default.' }),
    after: t.string({ description: 'Go on behind the last call: its `endCursor`.' }),
  }),
});

builder.mutationField('cancelJobs', (t) =>
  t.field({
    type: CancelJobsPayload,
    description:
      'Cancels the queued ones among many jobs at once and asks the running ones to stop, 500 a transaction. For tenant admins.',
    args: { input: t.arg({ type: CancelJobsInput, required: true, description: 'Which ones.' }) },
    errors: {
      union: { name: 'CancelJobsResult', description: 'What was done, or why nothing was.' },
      types: [Forbidden, InvalidArgument, UnknownDefinition],
    },
    complexity: ({ input }) => selectionComplexity(input),
    resolve: (_root, { input }, context) =>
      write(context, async () => {
        const { filter, reason = null, limit, after } = input;
        const request = { filter: jobFilterOf(filter, context), reason, limit, after };
        return cancelJobs(
          { ...context.deps.jobs, reads: context.operation.transaction },
          context.actor,
          request,
        );
      }),
  }),
);
