import { defineListStream } from '../../../graphql/subscriptions/define-list-stream.ts';
import { clipList } from '../feed/clip-list.ts';
import { ClipType } from './clip-ref.ts';
import { ClipStatusEnum } from './enums.ts';
import { clipLoader } from './loaders.ts';

defineListStream({
  typeName: 'Clip',
  type: ClipType,
  loader: clipLoader,
  list: clipList,
  statusType: ClipStatusEnum,
  scope: 'videos',
  work: 'the job that makes it',
  statusNote: 'QUEUED and RUNNING are one here, and stand for both.',
  parents: {
    videoId: { typeName: 'Video', description: 'Clips of this video, by its global id or its UUID.' },
    callId: {
      typeName: 'Call',
      description: 'Clips of this call instead of a video, by its global id or its UUID.',
    },
  },
});
