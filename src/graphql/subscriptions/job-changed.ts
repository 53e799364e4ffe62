import { reachedCreator } from '../../core/reach.ts';
import { isFinal } from '../../core/states.ts';
import type { FeedEvent } from '../../events/change.ts';
import { notFound } from '../../jobs/not-found.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { uuidOf } from '../ids.ts';
import type { Presented } from '../live/topic.ts';
import { JobType } from '../types/job.ts';
import { jobTopic } from './job-topic.ts';

builder.subscriptionField('jobChanged', (t) =>
  t.field({
    type: JobType,
    nullable: true,
    authScopes: { member: true },
    description:
      'One job: as it is now, then at every change of it or its progress. Null when it is deleted; the stream then ends.',
    args: {
      id: t.arg.id({ required: true, description: 'Its global id, or its UUID.' }),
      untilFinal: t.arg.boolean({
        defaultValue: false,
        description: 'End the stream once the job has ended.',
      }),
    },
    subscribe: (_root, { id, untilFinal }, { actor, deps }) => {
      const jobId = uuidOf('Job', id);
      const { tenantId, reach } = actor;
      if (reach?.kind === 'job' && reach.jobId !== jobId) throw notFound('job', jobId);
      const filter = { tenantId, ids: [jobId], createdBy: reachedCreator(reach) };
      return jobTopic(deps, filter, null, (isFresh) => presenter(jobId, untilFinal === true, isFresh));
    },
    resolve: ({ jobId }: { jobId: string | null }, _args, context) =>
      jobId === null ? null : loadersOf(context).job.load(jobId),
  }),
);

/** A stream that begins with the state has seen the job by its end, or there is none. */
export function presenter(
  jobId: string,
  untilFinal: boolean,
  isFresh: boolean,
): (event: FeedEvent) => Presented {
  let isUnseen = isFresh;
  let isForgotten = false;
  return (event) => {
    if (event.kind === 'resync') isForgotten = true;
    if (event.kind === 'ready' && isUnseen) throw notFound('job', jobId);
    // It was deleted before the state that follows a resync was read.
    const isGone = event.kind === 'jobRemoved' || (event.kind === 'ready' && isForgotten);
    if (isGone) return { value: { jobId: null }, isLast: true };
    if (event.kind !== 'job') return null;
    isUnseen = false;
    isForgotten = false;
    return { value: { jobId }, isLast: untilFinal && isFinal(event.change.status) };
  };
}
