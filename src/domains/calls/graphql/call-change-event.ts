import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { encodeGlobalId } from '../../../graphql/ids.ts';
import { CURSOR, MARK_TYPES } from '../../../graphql/types/feed-marks.ts';
import type { CallFeedEvent } from '../feed/call-list.ts';
import { CallType } from './call-ref.ts';
import { callLoader } from './loaders.ts';

type EventOf<Kind extends CallFeedEvent['kind']> = Extract<CallFeedEvent, { kind: Kind }>;

const CallUpdated = builder.objectRef<EventOf<'call'>>('CallUpdated').implement({
  description: 'A call that matches, as it is now.',
  fields: (t) => ({
    call: t.field({
      type: CallType,
      nullable: true,
      description: 'The call; null when it was deleted meanwhile, which the next event says.',
      resolve: ({ change }, _args, context) => loaderOf(context, callLoader).load(change.id),
    }),
    cursor: t.exposeString('cursor', { description: CURSOR }),
  }),
});

const CallLeft = builder.objectRef<EventOf<'callLeft'>>('CallLeft').implement({
  description: 'A call that no longer has one of the statuses asked for.',
  fields: (t) => ({
    callId: t.id({
      description: 'Its global id.',
      resolve: ({ callId }) => encodeGlobalId('Call', callId),
    }),
    cursor: t.exposeString('cursor', { description: CURSOR }),
  }),
});

const CallRemoved = builder.objectRef<EventOf<'callRemoved'>>('CallRemoved').implement({
  description: 'A call that was deleted.',
  fields: (t) => ({
    callId: t.id({
      description: 'Its global id.',
      resolve: ({ callId }) => encodeGlobalId('Call', callId),
    }),
    cursor: t.exposeString('cursor', { description: CURSOR }),
  }),
});

const TYPES = {
  call: CallUpdated,
  callLeft: CallLeft,
  callRemoved: CallRemoved,
  ...MARK_TYPES,
} as const;

export const CallChangeEvent = builder.unionType('CallChangeEvent', {
  description: 'What a stream of calls sends.',
  types: Object.values(TYPES),
  resolveType: (event) => TYPES[event.kind],
});
