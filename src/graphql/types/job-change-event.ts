import type { FeedEvent } from '../../events/change.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { encodeGlobalId } from '../ids.ts';
import { JobType } from './job.ts';

type EventOf<Kind extends FeedEvent['kind']> = Extract<FeedEvent, { kind: Kind }>;

const CURSOR = 'Go on from here with `after`.';

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

const FeedReady = builder.objectRef<EventOf<'ready'>>('FeedReady').implement({
  description: 'The initial state ends here; what follows are changes.',
  fields: (t) => ({
    complete: t.exposeBoolean('complete', { description: 'False when it was cut off at `initialLimit`.' }),
    cursor: t.exposeString('cursor', { description: CURSOR }),
  }),
});

const FeedCheckpoint = builder.objectRef<EventOf<'checkpoint'>>('FeedCheckpoint').implement({
  description: 'Nothing happened, but a later cursor is at hand.',
  fields: (t) => ({ cursor: t.exposeString('cursor', { description: CURSOR }) }),
});

const ResyncRequired = builder.objectRef<EventOf<'resync'>>('ResyncRequired').implement({
  description:
    'The cursor is of no use any more. Forget the state you have; a fresh one follows on this stream.',
  fields: (t) => ({
    reason: t.exposeString('reason', {
      description:
        '`otherServer`, `tooOld` (deletions are no longer known) or `tooMany` (reading afresh is cheaper).',
    }),
  }),
});

const TYPES = {
  job: JobUpdated,
  jobLeft: JobLeft,
  jobRemoved: JobRemoved,
  ready: FeedReady,
  checkpoint: FeedCheckpoint,
  resync: ResyncRequired,
} as const;

export const JobChangeEvent = builder.unionType('JobChangeEvent', {
  description: 'What a stream of jobs sends.',
  types: Object.values(TYPES),
  resolveType: (event) => TYPES[event.kind],
});
