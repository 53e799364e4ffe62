import { defineJob } from '../../core/definition.ts';
import { Type } from '../../core/payload-type.ts';
import { VIDEO_POLICY } from '../../core/policies/presets.ts';
import { ORIGINAL_PATH, VIDEO_ID } from '../videos/index.ts';
import { CLIP_STAGE } from './clip-pipeline.ts';

/** The video system's contract, section 5: a piece of an original becomes an MP4 of its own. */
export const clipGenerate = defineJob({
  key: CLIP_STAGE,
  description: 'Cuts a clip out of the original of a video.',
  payload: Type.Object(
    {
      video_id: VIDEO_ID,
      clip_id: Type.String({ format: 'uuid' }),
      t_start: Type.Integer({ minimum: 0, description: 'Milliseconds from the start of the video.' }),
      t_end: Type.Integer({ minimum: 1, description: 'Milliseconds; after `t_start`.' }),
      padding_ms: Type.Integer({
        minimum: 0,
        default: 2000,
        description: 'Milliseconds added at either side.',
      }),
      s3_original_path: ORIGINAL_PATH,
    },
    { additionalProperties: false },
  ),
  // The handler sets its own, tighter limit from the clip's length: max(600 s, 4 x length).
  timeoutSeconds: 2 * 3600,
  ...VIDEO_POLICY,
  leaseSeconds: 20,
  hasLogFile: true,
  // Its payload names objects of the store, whose keys know no tenant: only requestClip, which has checked
  // whose video it is, may say which.
  enqueueRole: 'system',
});
