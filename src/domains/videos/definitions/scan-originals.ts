import { defineJob } from '../../../core/definition.ts';
import { Type } from '../../../core/payload-type.ts';

/**
 * The scanner of the video system's contract: what lies in the store under `videos/original/` and nobody
 * registered. A job of the system tenant.
 */
export const scanOriginals = defineJob({
  key: 'scan_originals',
  description: 'Looks for originals in the store that are not in the pipeline yet.',
  payload: Type.Object({}, { additionalProperties: false }),
  timeoutSeconds: 3600,
  // The next round is near.
  maxAttempts: 1,
  maxRunning: 1,
  retentionSeconds: 3600,
  // It looks at all tenants' files.
  enqueueRole: 'system',
});
