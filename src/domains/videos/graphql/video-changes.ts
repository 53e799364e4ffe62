import { defineListStream } from '../../../graphql/subscriptions/define-list-stream.ts';
import { videoList } from '../feed/video-list.ts';
import { VideoStatusEnum } from './enums.ts';
import { videoLoader } from './loaders.ts';
import { VideoType } from './video-ref.ts';

defineListStream({
  typeName: 'Video',
  type: VideoType,
  loader: videoLoader,
  list: videoList,
  statusType: VideoStatusEnum,
  scope: 'videos',
});
