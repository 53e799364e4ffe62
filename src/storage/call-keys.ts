import { DomainError } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';

/**
 * Extensions that a recording's key may carry; anything else is stored without one, since the content
 * decides.
 */
const RECORDING_EXTENSIONS = new Set(
  '3gp aac aiff amr avi caf flac m4a m4v mkv mov mp3 mp4 mpg oga ogg opus ts wav weba webm wma'.split(' '),
);

/** What all objects of a call begin with: `calls/{call_id}/`. */
export function callPrefix(callId: string): string {
  if (isUuid(callId)) return `calls/${callId}/`;
  throw new DomainError('InvalidArgument', `${JSON.stringify(callId)} is no id of a call`, {
    field: 'callId',
  });
}

/** `calls/{call_id}/recording.{extension}`: what was uploaded, or fetched. */
export function recordingKey(callId: string, fileName = ''): string {
  const extension = /\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return `${callPrefix(callId)}recording${RECORDING_EXTENSIONS.has(extension) ? `.${extension}` : ''}`;
}

/** `calls/{call_id}/audio.flac`: the sound as recognisers take it. */
export function callAudioKey(callId: string): string {
  return `${callPrefix(callId)}audio.flac`;
}

/** `calls/{call_id}/waveform.json`: peaks for a player, and when who speaks. */
export function waveformKey(callId: string): string {
  return `${callPrefix(callId)}waveform.json`;
}

/** `calls/{call_id}/transcription.ogg`: what a provider is sent; removed once there is a transcript. */
export function transcriptionAudioKey(callId: string): string {
  return `${callPrefix(callId)}transcription.ogg`;
}

/**
 * `calls/{call_id}/operation.json`: the provider's operation that is under way; removed once there is a
 * transcript.
 */
export function operationKey(callId: string): string {
  return `${callPrefix(callId)}operation.json`;
}

/**
 * `calls/{call_id}/answer-{channel}.json`: what a provider that answers at once has said of a channel;
 * removed once there is a transcript.
 */
export function answerKey(callId: string, channel: number): string {
  return `${callPrefix(callId)}answer-${channel}.json`;
}

/** `calls/{call_id}/clips/{clip_id}.m4a`: a piece of its sound. */
export function callClipKey(callId: string, clipId: string): string {
  if (isUuid(clipId)) return `${callPrefix(callId)}clips/${clipId}.m4a`;
  throw new DomainError('InvalidArgument', `${JSON.stringify(clipId)} is no id of a clip`, {
    field: 'clipId',
  });
}

/** `calls/{call_id}/transcript.json`. */
export function transcriptKey(callId: string): string {
  return `${callPrefix(callId)}transcript.json`;
}

/** Where a tenant's recordings lie that others have put into the store: `call-inbox/{tenant_id}/`. */
export function inboxPrefix(tenantId: string): string {
  return `call-inbox/${tenantId}/`;
}

/** The call that an uploaded recording belongs to; null for every other key. */
export function callOfRecording(key: string): string | null {
  const id = /^calls\/([0-9a-f-]{36})\/recording(?:\.[a-z0-9]+)?$/.exec(key)?.[1];
  return id !== undefined && isUuid(id) ? id : null;
}
