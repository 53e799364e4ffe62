import { isFinal } from '../../core/states.ts';
import type { FeedEvent } from '../../events/change.ts';
import { notFound } from '../../jobs/not-found.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { uuidOf } from '../ids.ts';
import { JobType } from '../types/job.ts';
import { type Mapped, mapSource } from './map-source.ts';
import { isOfTenant } from './same-tenant.ts';

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
    subscribe: async (_root, { id, untilFinal }, context) => {
      const jobId = uuidOf('Job', id);
      if ((await loadersOf(context).job.load(jobId)) === null) throw notFound('job', jobId);
      const source = context.deps.feed.subscribe({ tenantId: context.actor.tenantId, ids: [jobId] });
      return mapSource(source, (event: FeedEvent): Mapped<{ jobId: string | null }> => {
        if (event.kind === 'jobRemoved') return { value: { jobId: null }, isLast: true };
        if (event.kind !== 'job' || !isOfTenant(event, context)) return null;
        return { value: { jobId }, isLast: untilFinal === true && isFinal(event.change.status) };
      });
    },
    resolve: ({ jobId }: { jobId: string | null }, _args, context) =>
      jobId === null ? null : loadersOf(context).job.load(jobId),
  }),
);
