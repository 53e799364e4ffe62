import { PermanentError } from '../../../src/core/errors.ts';
import { ALLOWED_FILES } from '../../tools/media-formats.ts';
import type { MediaInfo } from '../../tools/media-info.ts';

/** How far lengths may be apart that mean the same: containers round, and sound and picture end apart. */
const TOLERANCE_SECONDS = 1;
export const TOLERANCE_RATIO = 0.01;

export function toleranceOf(seconds: number): number {
  return Math.max(TOLERANCE_SECONDS, seconds * TOLERANCE_RATIO);
}

/** A file without pictures that move. */
export function noVideo(info: MediaInfo): PermanentError {
  const instead = info.coverArt
    ? 'sound with a cover picture'
    : info.audio === null
      ? 'no picture or sound'
      : 'sound only';
  return new PermanentError(
    'NotAVideo',
    `The file has no video stream (${instead}); allowed: ${ALLOWED_FILES}`,
  );
}

/** A file of which only the beginning can be read. */
export function sourceDamaged(readSeconds: number, wholeSeconds: number, complaints: string): PermanentError {
  const shown = `Only ${readSeconds.toFixed(1)} s of ${wholeSeconds.toFixed(1)} s of the video could be read`;
  return new PermanentError('SourceDamaged', `${shown}: the file is cut off or damaged${reason(complaints)}`);
}

/** What ffmpeg itself said first, without the address of the speaker. */
function reason(complaints: string): string {
  const first = complaints.split('\n')[0]?.replace(/ @ 0x[0-9a-f]+/, '') ?? '';
  return first === '' || first.includes('/') ? '' : ` (${first.slice(0, 200)})`;
}
