import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { encodeGlobalId } from '../../../graphql/ids.ts';
import { CURSOR, MARK_TYPES } from '../../../graphql/types/feed-marks.ts';
import type { VideoFeedEvent } from '../feed/video-list.ts';
import { videoLoader } from './loaders.ts';
import { VideoType } from './video-ref.ts';

type EventOf<Kind extends VideoFeedEvent['kind']> = Extract<VideoFeedEvent, { kind: Kind }>;

const VideoUpdated = builder.objectRef<EventOf<'video'>>('VideoUpdated').implement({
  description: 'A video that matches, as it is now.',
  fields: (t) => ({
    video: t.field({
      type: VideoType,
      nullable: true,
      description: 'The video; null when it was deleted meanwhile, which the next event says.',
      resolve: ({ change }, _args, context) => loaderOf(context, videoLoader).load(change.id),
    }),
    cursor: t.exposeString('cursor', { description: CURSOR }),
  }),
});

const VideoLeft = builder.objectRef<EventOf<'videoLeft'>>('VideoLeft').implement({
  description: 'A video that no longer has one of the statuses asked for.',
  fields: (t) => ({
    videoId: t.id({
      description: 'Its global id.',
      resolve: ({ videoId }) => encodeGlobalId('Video', videoId),
    }),
    cursor: t.exposeString('cursor', { description: CURSOR }),
  }),
});

const VideoRemoved = builder.objectRef<EventOf<'videoRemoved'>>('VideoRemoved').implement({
  description: 'A video that was deleted.',
  fields: (t) => ({
    videoId: t.id({
      description: 'Its global id.',
      resolve: ({ videoId }) => encodeGlobalId('Video', videoId),
    }),
    cursor: t.exposeString('cursor', { description: CURSOR }),
  }),
});

const TYPES = {
  video: VideoUpdated,
  videoLeft: VideoLeft,
  videoRemoved: VideoRemoved,
  ...MARK_TYPES,
} as const;

export const VideoChangeEvent = builder.unionType('VideoChangeEvent', {
  description: 'What a stream of videos sends.',
  types: Object.values(TYPES),
  resolveType: (event) => TYPES[event.kind],
});
