import { defineJob } from '../../../core/definition.ts';
import { Type } from '../../../core/payload-type.ts';
import { TRANSCRIBE_POLL_POLICY } from '../../../core/policies/presets.ts';
import { CALL_ID, CALL_PATH } from './call-fields.ts';

/**
 * SpeechKit allows 2,500 status checks an hour by default. In pieces of it: a thousand calls that wait would
 * use the hour's up in minutes, and what is done then would not be noticed before the next.
 */
const CHECKS = { count: 200, periodSeconds: 288 };
/** A provider may take as long as a day. */
const DEADLINE_SECONDS = 24 * 3600;

/**
 * The calls system's third stage: asks the provider from time to time, holding no slot in between, and stores
 * the transcript once.
 */
export const transcribePoll = defineJob({
  key: 'transcribe_poll',
  description: 'Asks the speech provider for the transcript of a call.',
  payload: Type.Object(
    {
      call_id: CALL_ID,
      operationId: Type.String({ minLength: 1, maxLength: 500 }),
      provider: Type.String({ minLength: 1, maxLength: 50 }),
      started_at_ms: Type.Integer({ minimum: 0, description: 'When the operation began, since 1970.' }),
      audio_path: CALL_PATH,
      ogg_path: Type.Optional(CALL_PATH),
      channels: Type.Integer({ minimum: 1, maximum: 2 }),
      duration_ms: Type.Integer({ minimum: 0 }),
      language: Type.Optional(Type.String({ maxLength: 35 })),
      speaker_count: Type.Optional(Type.Integer({ minimum: 0, maximum: 20 })),
    },
    { additionalProperties: false },
  ),
  timeoutSeconds: 4 * 3600,
  ...TRANSCRIBE_POLL_POLICY,
  snoozeDeadlineSeconds: DEADLINE_SECONDS,
  rateLimit: CHECKS,
  hasLogFile: true,
  enqueueRole: 'system',
});
