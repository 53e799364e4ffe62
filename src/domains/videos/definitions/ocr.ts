import { defineJob } from '../../../core/definition.ts';
import { LANGUAGES } from '../../../core/languages.ts';
import { Type } from '../../../core/payload-type.ts';
import { VIDEO_POLICY } from '../../../core/policies/presets.ts';
import { VIDEO_ID } from './video-fields.ts';

/**
 * Frames whose paths a payload lists; a video with more is read by several jobs, each with its part of the
 * manifest.
 */
export const MAX_LISTED_FRAMES = 500;
/** Words below it are left out. */
export const DEFAULT_MIN_CONFIDENCE = 0.6;

/** The video system's contract, section 3: reads the texts in kept frames. */
export const ocr = defineJob({
  key: 'ocr',
  description: 'Reads the texts in the kept frames of a video.',
  payload: Type.Object(
    {
      video_id: VIDEO_ID,
      frame_paths: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: '^frames/' }), {
          maxItems: MAX_LISTED_FRAMES,
          description: 'The frames to read. When omitted, those of the manifest from `first_frame` on.',
        }),
      ),
      manifest_key: Type.Optional(
        Type.String({
          maxLength: 200,
          pattern: '^frames/',
          description: 'What `sample` kept, with the times at which each frame is shown.',
        }),
      ),
      first_frame: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Position in the manifest; from 0.' }),
      ),
      frame_count: Type.Optional(Type.Integer({ minimum: 1 })),
      languages: LANGUAGES,
      min_confidence: Type.Number({ minimum: 0, maximum: 1, default: DEFAULT_MIN_CONFIDENCE }),
    },
    { additionalProperties: false },
  ),
  timeoutSeconds: 6 * 3600,
  ...VIDEO_POLICY,
  leaseSeconds: 20,
  hasLogFile: true,
  // Its payload names objects of the store, whose keys know no tenant.
  enqueueRole: 'system',
});
