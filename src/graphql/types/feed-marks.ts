import type { FeedMark } from '../../events/change.ts';
import { RESYNC_REASONS } from '../../events/resume.ts';
import { builder } from '../builder.ts';
import { valuesOf } from './enums.ts';

type MarkOf<Kind extends FeedMark['kind']> = Extract<FeedMark, { kind: Kind }>;

export const CURSOR = 'Go on from here with `after`.';

export const FeedReady = builder.objectRef<MarkOf<'ready'>>('FeedReady').implement({
  description: 'The initial state ends here; what follows are changes.',
  fields: (t) => ({
    isComplete: t.exposeBoolean('complete', { description: 'False when it was cut off at `initialLimit`.' }),
    cursor: t.exposeString('cursor', { description: CURSOR }),
  }),
});

export const FeedCheckpoint = builder.objectRef<MarkOf<'checkpoint'>>('FeedCheckpoint').implement({
  description: 'Nothing happened, but a later cursor is available.',
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

export const ResyncRequired = builder.objectRef<MarkOf<'resync'>>('ResyncRequired').implement({
  description:
    'The cursor is of no use any more. Forget the state you have; a fresh one follows on this stream.',
  fields: (t) => ({
    reason: t.expose('reason', { type: ResyncReasonEnum, description: 'Why.' }),
  }),
});

/** The events that every list sends beside what is in it, by their kinds. */
export const MARK_TYPES = { ready: FeedReady, checkpoint: FeedCheckpoint, resync: ResyncRequired } as const;
