import type { EnqueueResult } from '../../core/queue.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { encodeGlobalId } from '../ids.ts';
import { written } from '../mutations/write.ts';
import { JobType } from './job.ts';

export const EnqueueJobPayload = builder.objectRef<EnqueueResult>('EnqueueJobPayload').implement({
  description: 'The job is in the queue.',
  fields: (t) => ({
    job: t.field({
      type: JobType,
      description: 'The job, read after the commit. `jobId` alone costs no read.',
      resolve: ({ id }, _args, context) => written(loadersOf(context).job.load(id), `Job ${id}`),
    }),
    jobId: t.id({ description: 'The job’s global id.', resolve: ({ id }) => encodeGlobalId('Job', id) }),
    isNew: t.boolean({
      description: 'False when a job with the same dedupe key was there already.',
      resolve: ({ kind }) => kind === 'created',
    }),
  }),
});
