import { builder } from '../../../graphql/builder.ts';
import { partialPage } from '../../../graphql/types/connections.ts';
import { VideoType } from './video-ref.ts';

export const VideoConnection = builder.connectionObject(
  {
    type: VideoType,
    name: 'VideoConnection',
    description: 'A page of videos, newest first.',
    fields: (t) => ({ isPartial: t.boolean(partialPage('videos')) }),
  },
  { name: 'VideoEdge', description: 'A video with its cursor.' },
);
