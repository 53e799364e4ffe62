import { PermanentError } from '../../../src/core/errors.ts';
import { ALLOWED_RECORDINGS } from '../../tools/media-formats.ts';

export function notARecording(what: string): PermanentError {
  return new PermanentError('NotARecording', `The file ${what}; allowed: ${ALLOWED_RECORDINGS}`);
}

export function recordingTooLong(seconds: number, allowedSeconds: number): PermanentError {
  return new PermanentError(
    'RecordingTooLong',
    `The recording has ${Math.round(seconds)} s or more; allowed: ${allowedSeconds} s`,
  );
}

export function recordingDamaged(readSeconds: number, saidSeconds: number): PermanentError {
  return new PermanentError(
    'RecordingDamaged',
    `The recording ends after ${readSeconds.toFixed(1)} s of the ${saidSeconds.toFixed(1)} s that it says it has: it was cut off`,
  );
}

/** What media programs say of videos, in the words of recordings. */
export function asRecordingError(error: unknown): unknown {
  if (!(error instanceof PermanentError)) return error;
  if (error.type === 'NotAVideo' || error.type === 'UnsupportedFormat')
    return notARecording('is no recording, or damaged beyond reading');
  if (error.type === 'MoovMissing')
    return new PermanentError('RecordingDamaged', 'The recording has no index (moov): it was cut off', error);
  return error;
}
