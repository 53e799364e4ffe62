import { PermanentError } from '../../../src/core/errors.ts';
import type { HlsPlaylist, HlsSegment } from '../../../src/storage/hls-playlist.ts';
import type { StoredObject } from '../../../src/storage/object-store.ts';
import { MediaToolError } from '../../tools/media-error.ts';
import { sourceDamaged, toleranceOf } from './source-errors.ts';
import type { SourceTiming } from './video-source.ts';

/** A transport stream is made of packets of this size. */
const TS_PACKET_BYTES = 188;
/** The least length of a segment; for a last one that states none. */
const MIN_SEGMENT_SECONDS = 0.02;

/**
 * Makes sure that what was made is all of the source. ffmpeg ends with 0 also when it could read only the
 * beginning.
 * @param decodedSeconds end of the last picture that was decoded
 * @throws PermanentError `SourceDamaged` when the pictures end early, MediaToolError when the output is not
 *   what it should be
 */
export function verifyHls(
  playlist: HlsPlaylist,
  segments: readonly StoredObject[],
  { pictureEndSeconds, endSeconds }: Pick<SourceTiming, 'pictureEndSeconds' | 'endSeconds'>,
  decodedSeconds: number,
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
  if (decodedSeconds < pictureEndSeconds - toleranceOf(pictureEndSeconds))
    throw sourceDamaged(decodedSeconds, pictureEndSeconds, complaints);
  const made = playlist.durationSeconds;
  if (made > endSeconds + toleranceOf(endSeconds)) {
    throw new MediaToolError(
      'failed',
      `The stream has ${made.toFixed(1)} s, its source only ${endSeconds.toFixed(1)} s`,
    );
  }
}

/**
 * The segments with the true length of the last one, of which ffmpeg only counts the pictures; the others
 * last from one key frame to the next.
 * @param endSeconds when the stream ends
 */
export function withTrueEnd<Segment extends HlsSegment>(
  segments: readonly Segment[],
  endSeconds: number,
): readonly Segment[] {
  const last = segments.at(-1);
  if (last === undefined) return segments;
  const startSeconds = segments.slice(0, -1).reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  const durationSeconds = Math.max(MIN_SEGMENT_SECONDS, endSeconds - startSeconds);
  return [...segments.slice(0, -1), { ...last, durationSeconds }];
}
