import { defineJob } from '../../../core/definition.ts';
import { Type } from '../../../core/payload-type.ts';
import { CALLS_POLICY } from '../../../core/policies/presets.ts';
import { CALL_ID } from './call-fields.ts';

/**
 * The calls system's last stage: what a transcript says, once for a transcript and a version of the analysis.
 */
export const analyze = defineJob({
  key: 'analyze',
  description: 'Analyses the transcript of a call.',
  payload: Type.Object(
    { call_id: CALL_ID, transcript_hash: Type.String({ pattern: '^[0-9a-f]{64}$' }) },
    { additionalProperties: false },
  ),
  timeoutSeconds: 1800,
  ...CALLS_POLICY,
  hasLogFile: true,
  enqueueRole: 'system',
});
