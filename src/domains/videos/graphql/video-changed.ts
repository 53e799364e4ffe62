import { defineEntityStream } from '../../../graphql/subscriptions/define-entity-stream.ts';
import { videoLoader } from './loaders.ts';
import { VideoType } from './video-ref.ts';

defineEntityStream({
  typeName: 'Video',
  type: VideoType,
  loader: videoLoader,
  entity: 'video',
  scope: 'videos',
  withParts: true,
  description:
    'One video: as it is now, then at every change of it, of a job about it or of that job’s progress. Null when it is deleted; the stream then ends.',
});
