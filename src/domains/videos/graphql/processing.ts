import { builder } from '../../../graphql/builder.ts';
import type { OwnProcessing } from '../pipeline/processing.ts';
import { processingDefaults } from '../pipeline/processing.ts';
import { VideoType } from './video-ref.ts';

export const VideoProcessingInput = builder.inputType('VideoProcessingInput', {
  description:
    'How the pictures of a video are looked at and its texts read; what is absent is as the installation says.',
  fields: (t) => ({
    targetFps: t.float({ description: 'Pictures a second that are looked at: 0.1 to 60.' }),
    dedupeThreshold: t.float({
      description: 'Pictures that are as similar as this to one that is kept are left out: 0 to 1.',
    }),
    maxFramesPerMinute: t.int({ description: 'Pictures of each minute that are kept at most: 1 to 3600.' }),
    minConfidence: t.float({ description: 'Words read with less confidence are left out: 0 to 1.' }),
  }),
});

const VideoProcessingType = builder.objectRef<OwnProcessing>('VideoProcessing').implement({
  description:
    'How the pictures of a video are looked at and its texts read: its own settings, and for the others the installation’s.',
  fields: (t) => ({
    targetFps: t.float({
      description: 'Pictures a second that are looked at.',
      resolve: (own) => own.targetFps ?? processingDefaults().targetFps,
    }),
    dedupeThreshold: t.float({
      description: 'Pictures that are as similar as this to one that is kept are left out.',
      resolve: (own) => own.dedupeThreshold ?? processingDefaults().dedupeThreshold,
    }),
    maxFramesPerMinute: t.int({
      description: 'Pictures of each minute that are kept at most.',
      resolve: (own) => own.maxFramesPerMinute ?? processingDefaults().maxFramesPerMinute,
    }),
    minConfidence: t.float({
      description: 'Words read with less confidence are left out.',
      resolve: (own) => own.minConfidence ?? processingDefaults().minConfidence,
    }),
  }),
});

builder.objectField(VideoType, 'processing', (t) =>
  t.field({
    type: VideoProcessingType,
    description: 'How its pictures are looked at and its texts read.',
    resolve: ({ processing }) => (processing ?? {}) as OwnProcessing,
  }),
);
