import { defineJob } from '../../core/definition.ts';
import { Type } from '../../core/payload-type.ts';
import { CALLS_POLICY } from '../../core/policies/presets.ts';
import { CALL_CLIP_STAGE } from './clip-pipeline.ts';

const KEY = Type.String({ minLength: 1, maxLength: 1024, pattern: '^(calls|call-inbox)/' });

/**
 * A piece of a call's sound becomes a file of its own: M4A, from the recording where it is kept, else from
 * the sound that was taken out of it.
 */
export const callClip = defineJob({
  key: CALL_CLIP_STAGE,
  description: 'Cuts a clip out of the sound of a call.',
  payload: Type.Object(
    {
      call_id: Type.String({ format: 'uuid' }),
      clip_id: Type.String({ format: 'uuid' }),
      t_start: Type.Integer({ minimum: 0, description: 'Milliseconds from the start of the call.' }),
      t_end: Type.Integer({ minimum: 1, description: 'Milliseconds; after `t_start`.' }),
      padding_ms: Type.Integer({
        minimum: 0,
        default: 2000,
        description: 'Milliseconds added at either side.',
      }),
      recording_path: Type.Optional(KEY),
      audio_path: KEY,
    },
    { additionalProperties: false },
  ),
  timeoutSeconds: 2 * 3600,
  ...CALLS_POLICY,
  leaseSeconds: 20,
  hasLogFile: true,
  // Its payload names objects of the store, whose keys know no tenant: only requestClip, which has checked
  // whose call it is, may.
  enqueueRole: 'system',
});
