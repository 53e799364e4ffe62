import { builder } from '../../../graphql/builder.ts';
import { valuesOf } from '../../../graphql/types/enums.ts';
import { VIDEO_STAGES } from '../pipeline/video.ts';
import { VIDEO_STATUSES } from '../video-status.ts';

export const VideoStatusEnum = builder.enumType('VideoStatus', {
  description: 'Where a video stands.',
  values: valuesOf(VIDEO_STATUSES, {
    awaiting_upload: 'Its original has not been uploaded, or the upload not been completed.',
    uploaded: 'Its original is there; transcoding is queued.',
    processing:
      'Its stream is being made, and can be played as far as that is; or a stage that had failed is on its way again. `pipeline` says how far.',
    transcoded: 'It can be played.',
    ready: 'It can be played and searched.',
    failed: 'A stage failed; `error` says why. Retry its job.',
  }),
});

export const VideoStageEnum = builder.enumType('VideoStage', {
  description: 'A stage of a video’s pipeline, in the order in which they run.',
  values: valuesOf(VIDEO_STAGES, {
    transcode: 'Makes the stream and the poster: the video can be played.',
    sample: 'Keeps the pictures that differ from each other.',
    ocr: 'Reads the texts in them, which can be found as they come; several jobs share a long video.',
    segment_index: 'Merges texts into time ranges and finds entities: the video is ready.',
  }),
});
