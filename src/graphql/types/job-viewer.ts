import { canCancel, canRetry } from '../../jobs/operate-job.ts';
import { canReplay } from '../../jobs/replay-job.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { JobType } from './job.ts';

/**
 * What the caller may do to a job, from its row, its definition and the caller alone: a list of jobs costs
 * one statement more at most.
 */
builder.objectFields(JobType, (t) => ({
  viewerCanCancel: t.boolean({
    description:
      'Whether the caller may cancel it now: it is active, nobody has asked to cancel it yet, and role, scopes and creator allow it.',
    resolve: (job, _args, { actor }) => canCancel(actor, job),
  }),
  viewerCanRetry: t.boolean({
    description:
      'Whether the caller may retry it now: it is FAILED, DEAD_LETTER or CANCELED, and role, scopes and creator allow it.',
    resolve: (job, _args, { actor }) => canRetry(actor, job),
  }),
  viewerCanReplay: t.boolean({
    description:
      'Whether the caller may replay it now: it has ended, and role and scopes allow to enqueue its definition, which is active.',
    resolve: async (job, _args, context) =>
      canReplay(context.actor, job, await loadersOf(context).definition.load(job.definitionId)),
  }),
}));
