import type { ArtifactKind } from '../../core/artifact-kind.ts';
import { extractAudio } from './definitions/extract-audio.ts';
import { transcribePoll } from './definitions/transcribe-poll.ts';
import { transcribeStart } from './definitions/transcribe-start.ts';

const unknownLength = (): null => null;

/** What the stages of a call make. */
export const CALL_ARTIFACTS: readonly ArtifactKind[] = [
  kind('call_recording', 'Recording', [extractAudio.key], unknownLength),
  kind('call_audio', 'Sound for the transcription', [extractAudio.key], unknownLength),
  kind('call_waveform', 'Waveform', [extractAudio.key]),
  kind(
    'call_ogg',
    'Sound as the provider takes it',
    [transcribeStart.key, transcribePoll.key],
    unknownLength,
  ),
  kind('call_transcript', 'Transcript', [transcribePoll.key]),
];

function kind(
  name: string,
  label: string,
  definitionKeys: readonly string[],
  lengthMs?: ArtifactKind['lengthMs'],
): ArtifactKind {
  return { kind: name, label, definitionKeys, scope: 'videos:read', ...(lengthMs && { lengthMs }) };
}
