import { builder } from '../../../graphql/builder.ts';
import { VideoType } from './video-ref.ts';

export const VideoConnection = builder.connectionObject(
  { type: VideoType, name: 'VideoConnection', description: 'A page of videos, newest first.' },
  { name: 'VideoEdge', description: 'A video with its cursor.' },
);
