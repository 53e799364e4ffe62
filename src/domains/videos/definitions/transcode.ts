import { defineJob } from '../../../core/definition.ts';
import { LANGUAGES } from '../../../core/languages.ts';
import { Type } from '../../../core/payload-type.ts';
import { VIDEO_POLICY } from '../../../core/policies/presets.ts';
import { DEDUPE_THRESHOLD, MAX_FRAMES_PER_MINUTE, MIN_CONFIDENCE, TARGET_FPS } from './processing-fields.ts';
import { ORIGINAL_PATH, VIDEO_ID } from './video-fields.ts';

/**
 * The video system's contract, section 1: an original video becomes an HLS playlist, its segments and a
 * poster.
 */
export const transcode = defineJob({
  key: 'transcode',
  description: 'Makes the HLS stream and the poster of an uploaded video.',
  payload: Type.Object(
    {
      video_id: VIDEO_ID,
      s3_original_path: ORIGINAL_PATH,
      languages: LANGUAGES,
      target_fps: Type.Optional(TARGET_FPS),
      dedupe_threshold: Type.Optional(DEDUPE_THRESHOLD),
      max_frames_per_minute: Type.Optional(MAX_FRAMES_PER_MINUTE),
      min_confidence: Type.Optional(MIN_CONFIDENCE),
    },
    { additionalProperties: false },
  ),
  // The handler sets its own, tighter limit from the duration: max(600 s, 4 x duration).
  timeoutSeconds: 6 * 3600,
  ...VIDEO_POLICY,
  leaseSeconds: 20,
  hasLogFile: true,
  // Its payload names objects of the store, whose keys know no tenant: only completeVideoUpload, which has
  // checked whose video it is, may say which.
  enqueueRole: 'system',
  isSinglePerSubject: true,
});
