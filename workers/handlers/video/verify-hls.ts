import { PermanentError } from '../../../src/core/errors.ts';
import type { HlsPlaylist } from '../../../src/storage/hls-playlist.ts';
import type { StoredObject } from '../../../src/storage/object-store.ts';
import { MediaToolError } from '../../tools/media-error.ts';
import type { MediaInfo } from '../../tools/media-info.ts';

/**
 * How far the stream's length may be from the source's: containers round, and sound and picture end apart.
 */
const TOLERANCE_SECONDS = 1;
const TOLERANCE_RATIO = 0.01;
/** A transport stream is made of packets of this size. */
const TS_PACKET_BYTES = 188;

/**
 * Makes sure that what was made is all of the source. ffmpeg ends with 0 also when it could read only the
 * beginning.
 * @throws PermanentError `SourceDamaged` when the source ends early, MediaToolError when the output is not
 *   what it should be
 */
export function verifyHls(
  playlist: HlsPlaylist,
  segments: readonly StoredObject[],
  info: MediaInfo,
  complaints: string,
): void {
  if (!playlist.complete) throw new MediaToolError('failed', 'ffmpeg wrote a playlist without its end');
  if (playlist.segments.length === 0)
    throw new PermanentError('NotAVideo', 'No picture of the file could be decoded');
  for (const [index, { name }] of playlist.segments.entries()) {
    const stored = segments[index];
    if (stored?.key.endsWith(`/${name}`) !== true)
      throw new MediaToolError('failed', `Segment ${name} was not uploaded`);
    if (stored.sizeBytes === 0) throw new MediaToolError('failed', `ffmpeg wrote an empty segment ${name}`);
    if (stored.sizeBytes % TS_PACKET_BYTES !== 0)
      throw new MediaToolError('failed', `Segment ${name} is cut off`);
  }
  const lengths = [info.video?.durationSeconds ?? null, info.durationSeconds].filter(
    (length) => length !== null,
  );
  if (lengths.length === 0) return;
  const shortest = Math.min(...lengths);
  const longest = Math.max(...lengths);
  const made = playlist.durationSeconds;
  if (made < shortest - tolerance(shortest)) {
    const shown = `Only ${made.toFixed(1)} s of ${shortest.toFixed(1)} s of the video could be read`;
    throw new PermanentError(
      'SourceDamaged',
      `${shown}: the file is cut off or damaged${reason(complaints)}`,
    );
  }
  if (made > longest + tolerance(longest)) {
    throw new MediaToolError(
      'failed',
      `The stream has ${made.toFixed(1)} s, its source only ${longest.toFixed(1)} s`,
    );
  }
}

function tolerance(seconds: number): number {
  return Math.max(TOLERANCE_SECONDS, seconds * TOLERANCE_RATIO);
}

/** What ffmpeg itself said first, without the address of the speaker. */
function reason(complaints: string): string {
  const first = complaints.split('\n')[0]?.replace(/ @ 0x[0-9a-f]+/, '') ?? '';
  return first === '' || first.includes('/') ? '' : ` (${first.slice(0, 200)})`;
}
