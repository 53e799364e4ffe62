import { defineJob } from '../../../core/definition.ts';
import { Type } from '../../../core/payload-type.ts';
import { VIDEO_POLICY } from '../../../core/policies/presets.ts';
import { ORIGINAL_PATH, VIDEO_ID } from './video-fields.ts';

/** Before the first stage of a video that lies elsewhere: its original is fetched from a public address. */
export const fetchOriginal = defineJob({
  key: 'fetch_original',
  description: 'Fetches the original of a video from a public address.',
  payload: Type.Object(
    {
      video_id: VIDEO_ID,
      s3_original_path: ORIGINAL_PATH,
      // Links to files are often signed: who has the URL has the file.
      url: Type.String({ maxLength: 4096, writeOnly: true, description: 'Where the file is.' }),
    },
    { additionalProperties: false },
  ),
  timeoutSeconds: 6 * 3600,
  ...VIDEO_POLICY,
  leaseSeconds: 20,
  hasLogFile: true,
  // Its payload names an object of the store, whose keys know no tenant: only importVideo may say which.
  enqueueRole: 'system',
  isSinglePerSubject: true,
});
