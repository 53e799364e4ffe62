import { defineJob } from '../../../core/definition.ts';
import { Type } from '../../../core/payload-type.ts';
import { CALLS_POLICY } from '../../../core/policies/presets.ts';
import { CALL_ID, CALL_PATH } from './call-fields.ts';

/** Starts an hour that SpeechKit allows by default. */
const STARTS_PER_HOUR = 500;

/**
 * The calls system's second stage: the sound goes to the speech provider as OGG Opus, and its operation
 * begins.
 */
export const transcribeStart = defineJob({
  key: 'transcribe_start',
  description: 'Sends the sound of a call to the speech provider.',
  payload: Type.Object(
    {
      call_id: CALL_ID,
      audio_path: CALL_PATH,
      channels: Type.Integer({ minimum: 1, maximum: 2 }),
      duration_ms: Type.Integer({ minimum: 0 }),
      language: Type.Optional(Type.String({ maxLength: 35 })),
      speaker_count: Type.Optional(Type.Integer({ minimum: 0, maximum: 20 })),
    },
    { additionalProperties: false },
  ),
  timeoutSeconds: 3600,
  ...CALLS_POLICY,
  rateLimit: { count: STARTS_PER_HOUR, periodSeconds: 3600 },
  // A provider that says that its quota is used up is asked again without an attempt being spent.
  snoozeDeadlineSeconds: 24 * 3600,
  hasLogFile: true,
  enqueueRole: 'system',
});
