import { builder } from '../../../graphql/builder.ts';
import { valuesOf } from '../../../graphql/types/enums.ts';
import { CALL_STATUSES } from '../call-status.ts';
import { CALL_STAGES } from '../pipeline/call-stages.ts';

export const CallStatusEnum = builder.enumType('CallStatus', {
  description: 'Where a call stands.',
  values: valuesOf(CALL_STATUSES, {
    awaiting_upload: 'Its recording has not been uploaded, or the upload not been completed.',
    queued: 'Its recording is there; its sound is being taken out, or waits for that.',
    transcribing: 'Its sound is there and can be played; its words are being recognised.',
    analyzing: 'Its transcript is there.',
    ready: 'Its transcript and its analysis are there.',
    failed: 'A stage failed; `error` says why. Retry its job.',
  }),
});

export const CallStageEnum = builder.enumType('CallStage', {
  description: 'A stage of a call, in the order in which they run.',
  values: valuesOf(CALL_STAGES, {
    extract_audio: 'Takes the sound out of the recording.',
    transcribe_start: 'Sends it to the speech provider.',
    transcribe_poll: 'Asks for the transcript, and stores it.',
    analyze: 'Says what the transcript is about.',
  }),
});
