import { canCancel, canRetry } from '../../jobs/operate-job.ts';
import { builder } from '../builder.ts';
import { JobType } from './job.ts';

/** What the caller may do to a job, from its row and the caller alone: a list of jobs costs no statement more. */
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
}));
