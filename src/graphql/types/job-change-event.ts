import type { FeedEvent } from '../../events/change.ts';
import { RESYNC_REASONS } from '../../events/resume.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { encodeGlobalId } from '../ids.ts';
import { valuesOf } from './enums.ts';
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
    isComplete: t.exposeBoolean('complete', { description: 'False when it was cut off at `initialLimit`.' }),
    cursor: t.exposeString('cursor', { description: CURSOR }),
  }),
});

const FeedCheckpoint = builder.objectRef<EventOf<'checkpoint'>>('FeedCheckpoint').implement({
  description: 'Nothing happened, but a later cursor is at hand.',
  fields: (t) => ({ cursor: t.exposeString('cursor', { description: CURSOR }) }),
});

const ResyncReasonEnum = builder.enumType('ResyncReason', {
  description: 'Why a cursor is of no use any more.',
  values: valuesOf(RESYNC_REASONS, {
    otherServer: 'It is of another database cluster, or of this one before a restore or a failover.',
    tooOld: 'It is so old that deletions since then are no longer known.',
    tooMany: 'It is that far behind that reading everything afresh is cheaper.',
  }),
});

const ResyncRequired = builder.objectRef<EventOf<'resync'>>('ResyncRequired').implement({
  description:
    'The cursor is of no use any more. Forget the state you have; a fresh one follows on this stream.',
  fields: (t) => ({
    reason: t.expose('reason', { type: ResyncReasonEnum, description: 'Why.' }),
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
