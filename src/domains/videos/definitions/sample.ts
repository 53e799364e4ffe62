import { defineJob } from '../../../core/definition.ts';
import { LANGUAGES } from '../../../core/languages.ts';
import { Type } from '../../../core/payload-type.ts';
import { VIDEO_POLICY } from '../../../core/policies/presets.ts';
import { MIN_CONFIDENCE } from './processing-fields.ts';
import { ORIGINAL_PATH, VIDEO_ID } from './video-fields.ts';

/** Pictures a second that are looked at, of which most are like the one before. */
export const DEFAULT_TARGET_FPS = 10;
/** Pictures that are as similar as this, or more, to one that is kept are left out. */
export const DEFAULT_DEDUPE_THRESHOLD = 0.95;
export const DEFAULT_MAX_FRAMES_PER_MINUTE = 60;

/**
 * The video system's contract, section 2: the pictures of an original that differ become JPEGs for the reader
 * of texts.
 */
export const sample = defineJob({
  key: 'sample',
  description: 'Keeps the pictures of an original that differ from each other.',
  payload: Type.Object(
    {
      video_id: VIDEO_ID,
      s3_original_path: ORIGINAL_PATH,
      target_fps: Type.Number({ minimum: 0.1, maximum: 60, default: DEFAULT_TARGET_FPS }),
      dedupe_threshold: Type.Number({ minimum: 0, maximum: 1, default: DEFAULT_DEDUPE_THRESHOLD }),
      max_frames_per_minute: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 3600, default: DEFAULT_MAX_FRAMES_PER_MINUTE }),
      ),
      min_confidence: Type.Optional(MIN_CONFIDENCE),
      languages: LANGUAGES,
    },
    { additionalProperties: false },
  ),
  // The handler sets its own, tighter limit from the duration: max(600 s, 4 x duration).
  timeoutSeconds: 6 * 3600,
  ...VIDEO_POLICY,
  leaseSeconds: 20,
  hasLogFile: true,
  // Its payload names objects of the store, whose keys know no tenant.
  enqueueRole: 'system',
  isSinglePerSubject: true,
});
