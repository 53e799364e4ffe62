import { Type } from 'typebox';
import { defineJob } from '../definition.ts';

/** Seed 001's retry policy: 1, 5 and 15 minutes ± 20 %, four runs in all. */
export const VIDEO_RETRY_POLICY = { delaysSeconds: [60, 300, 900], jitter: 0.2 } as const;

/** Seed 001, section 1: an original video becomes an HLS playlist, its segments and a poster. */
export const transcode = defineJob({
  key: 'transcode',
  description: 'Makes the HLS stream and the poster of an uploaded video.',
  payload: Type.Object(
    {
      video_id: Type.String({ format: 'uuid' }),
      s3_original_path: Type.String({ minLength: 1, maxLength: 1024, pattern: '^videos/original/' }),
    },
    { additionalProperties: false },
  ),
  // The handler sets its own, tighter limit from the duration: max(600 s, 4 x duration).
  timeoutSeconds: 6 * 3600,
  maxAttempts: 4,
  leaseSeconds: 20,
  retryPolicy: VIDEO_RETRY_POLICY,
  // Its payload names objects of the store, whose keys know no tenant: only completeVideoUpload, which has checked whose
  // video it is, may say which.
  enqueueRole: 'system',
});
