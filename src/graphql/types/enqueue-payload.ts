import type { EnqueueResult } from '../../core/queue.ts';
import { builder } from '../builder.ts';
import { encodeGlobalId } from '../ids.ts';
import { readBack } from '../mutations/read-back.ts';
import { JobType } from './job.ts';

export const EnqueueJobPayload = builder.objectRef<EnqueueResult>('EnqueueJobPayload').implement({
  description: 'The job is in the queue.',
  fields: (t) => ({
    job: t.field({
      type: JobType,
      nullable: true,
      description: 'The job, read after the commit. `jobId` alone costs no read.',
      resolve: ({ id }, _args, context) => readBack(context, (loaders) => loaders.job.load(id), `Job ${id}`),
    }),
    jobId: t.id({ description: 'The job’s global id.', resolve: ({ id }) => encodeGlobalId('Job', id) }),
    isNew: t.boolean({
      description: 'False when a job with the same dedupe key was there already.',
      resolve: ({ kind }) => kind === 'created',
    }),
  }),
});
