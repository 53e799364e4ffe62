import type { FeedEvent } from '../../events/change.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { encodeGlobalId } from '../ids.ts';
import { CURSOR, MARK_TYPES } from './feed-marks.ts';
import { JobType } from './job.ts';

type EventOf<Kind extends FeedEvent['kind']> = Extract<FeedEvent, { kind: Kind }>;

const JobUpdated = builder.objectRef<EventOf<'job'>>('JobUpdated').implement({
  description: 'A job that matches, as it is now.',
  fields: (t) => ({
    job: t.field({
      type: JobType,
      nullable: true,
      description: 'The job; null when it was deleted meanwhile, which the next event says.',
      resolve: ({ change }, _args, context) => loadersOf(context).job.load(change.jobId),
    }),
    cursor: t.exposeString('cursor', { description: CURSOR }),
  }),
});

const JobLeft = builder.objectRef<EventOf<'jobLeft'>>('JobLeft').implement({
  description: 'A job that no longer has one of the statuses asked for.',
  fields: (t) => ({
    jobId: t.id({ description: 'Its global id.', resolve: ({ jobId }) => encodeGlobalId('Job', jobId) }),
    cursor: t.exposeString('cursor', { description: CURSOR }),
  }),
});

const JobRemoved = builder.objectRef<EventOf<'jobRemoved'>>('JobRemoved').implement({
  description: 'A job that was deleted.',
  fields: (t) => ({
    jobId: t.id({ description: 'Its global id.', resolve: ({ jobId }) => encodeGlobalId('Job', jobId) }),
    cursor: t.exposeString('cursor', { description: CURSOR }),
  }),
});

const TYPES = {
  job: JobUpdated,
  jobLeft: JobLeft,
  jobRemoved: JobRemoved,
  ...MARK_TYPES,
} as const;

export const JobChangeEvent = builder.unionType('JobChangeEvent', {
  description: 'What a stream of jobs sends.',
  types: Object.values(TYPES),
  resolveType: (event) => TYPES[event.kind],
});
