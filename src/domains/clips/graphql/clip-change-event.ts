import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { encodeGlobalId } from '../../../graphql/ids.ts';
import { CURSOR, MARK_TYPES } from '../../../graphql/types/feed-marks.ts';
import type { ClipFeedEvent } from '../feed/clip-list.ts';
import { ClipType } from './clip-ref.ts';
import { clipLoader } from './loaders.ts';

type EventOf<Kind extends ClipFeedEvent['kind']> = Extract<ClipFeedEvent, { kind: Kind }>;

const ClipUpdated = builder.objectRef<EventOf<'clip'>>('ClipUpdated').implement({
  description: 'A clip that matches, as it is now.',
  fields: (t) => ({
    clip: t.field({
      type: ClipType,
      nullable: true,
      description: 'The clip; null when it was deleted meanwhile, which the next event says.',
      resolve: ({ change }, _args, context) => loaderOf(context, clipLoader).load(change.id),
    }),
    cursor: t.exposeString('cursor', { description: CURSOR }),
  }),
});

const ClipLeft = builder.objectRef<EventOf<'clipLeft'>>('ClipLeft').implement({
  description: 'A clip that no longer has one of the statuses asked for.',
  fields: (t) => ({
    clipId: t.id({
      description: 'Its global id.',
      resolve: ({ clipId }) => encodeGlobalId('Clip', clipId),
    }),
    cursor: t.exposeString('cursor', { description: CURSOR }),
  }),
});

const ClipRemoved = builder.objectRef<EventOf<'clipRemoved'>>('ClipRemoved').implement({
  description: 'A clip that was deleted.',
  fields: (t) => ({
    clipId: t.id({
      description: 'Its global id.',
      resolve: ({ clipId }) => encodeGlobalId('Clip', clipId),
    }),
    cursor: t.exposeString('cursor', { description: CURSOR }),
  }),
});

const TYPES = {
  clip: ClipUpdated,
  clipLeft: ClipLeft,
  clipRemoved: ClipRemoved,
  ...MARK_TYPES,
} as const;

export const ClipChangeEvent = builder.unionType('ClipChangeEvent', {
  description: 'What a stream of clips sends.',
  types: Object.values(TYPES),
  resolveType: (event) => TYPES[event.kind],
});
