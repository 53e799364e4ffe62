import { defineJob } from '../../../core/definition.ts';
import { Type } from '../../../core/payload-type.ts';
import { VIDEO_POLICY } from '../../../core/policies/presets.ts';
import { VIDEO_ID } from './video-fields.ts';

/**
 * The video system's contract, section 4: merges the texts of a video into time ranges, finds entities in
 * them and makes it searchable as a whole.
 */
export const segmentIndex = defineJob({
  key: 'segment_index',
  description: 'Merges the texts of a video and finds entities in them.',
  payload: Type.Object({ video_id: VIDEO_ID }, { additionalProperties: false }),
  timeoutSeconds: 3600,
  ...VIDEO_POLICY,
  leaseSeconds: 20,
  hasLogFile: true,
  enqueueRole: 'system',
  isSinglePerSubject: true,
});
