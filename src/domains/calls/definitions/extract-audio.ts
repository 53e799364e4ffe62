import { defineJob } from '../../../core/definition.ts';
import { Type } from '../../../core/payload-type.ts';
import { CALLS_POLICY } from '../../../core/policies/presets.ts';
import { CALL_ID } from './call-fields.ts';

/**
 * The calls system's first stage: the sound of a recording, with its loudness, its silences and its waveform.
 */
export const extractAudio = defineJob({
  key: 'extract_audio',
  description: 'Takes the sound out of a recording.',
  payload: Type.Object(
    {
      call_id: CALL_ID,
      recording_path: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1024,
          pattern: '^(calls|call-inbox)/',
          description: 'Key of the recording in the store.',
        }),
      ),
      source_url: Type.Optional(
        Type.String({ maxLength: 4096, description: 'Where to fetch it, in the place of a key.' }),
      ),
      keep_recording: Type.Optional(Type.Boolean()),
      language: Type.Optional(Type.String({ maxLength: 35 })),
      speaker_count: Type.Optional(Type.Integer({ minimum: 0, maximum: 20 })),
    },
    { additionalProperties: false },
  ),
  timeoutSeconds: 2 * 3600,
  ...CALLS_POLICY,
  hasLogFile: true,
  // Its payload names objects of the store, whose keys know no tenant: only submitCall, which has checked
  // whose they are, may.
  enqueueRole: 'system',
});
