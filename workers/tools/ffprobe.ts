import { open } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { PermanentError } from '../../src/core/errors.ts';
import type { MediaLimits } from '../handler.ts';
import { probeArgs } from './ffmpeg-args.ts';
import { MEDIA_ENVIRONMENT } from './media-environment.ts';
import { throwIfFailed } from './media-error.ts';
import { ALLOWED_FILES } from './media-formats.ts';
import { type ProbedMedia, parseMediaInfo } from './media-info.ts';
import { DEFAULT_MEDIA_LIMITS, oversizedPicture, pictureTooLarge, tooManyStreams } from './media-limits.ts';
import { runProcess } from './process.ts';

export interface ProbeOptions {
  readonly ffprobePath: string;
  /** Demuxer names that are accepted, see `VIDEO_FORMATS`. */
  readonly formats: readonly string[];
  /** Working directory; default the file's, so it must be given for a served object. */
  readonly cwd?: string;
  readonly signal?: AbortSignal;
  /** Default `DEFAULT_MEDIA_LIMITS`. */
  readonly limits?: MediaLimits;
}

const PROBE_TIMEOUT_MS = 60_000;
/** A file may declare thousands of streams; its description must still be whole to be parsed. */
const MAX_DESCRIPTION_BYTES = 4 * 1024 * 1024;
/** Types of the first box in an MP4 or QuickTime file. */
const FIRST_BOXES = new Set(['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot']);

/**
 * Describes a media file.
 * @param path absolute path, or the address of a served object
 * @throws PermanentError `NotAVideo`, `MoovMissing`, `UnsupportedFormat`, `PictureTooLarge`,
 *   `TooManyStreams`; MediaToolError when ffprobe itself failed
 */
export async function probe(path: string, options: ProbeOptions): Promise<ProbedMedia> {
  const { limits = DEFAULT_MEDIA_LIMITS } = options;
  const result = await runProcess({
    file: options.ffprobePath,
    args: probeArgs(path, options.formats, limits),
    cwd: options.cwd ?? dirname(path),
    env: MEDIA_ENVIRONMENT,
    timeoutMs: PROBE_TIMEOUT_MS,
    maxOutputBytes: MAX_DESCRIPTION_BYTES,
    ...(options.signal && { signal: options.signal }),
  });
  if (/Number of streams exceeds max_streams/.test(result.stderr)) throw tooManyStreams(limits.maxStreams);
  try {
    throwIfFailed('ffprobe', result, options.signal);
  } catch (error) {
    throw await withTruth(error, path);
  }
  if (result.stdoutOmittedBytes > 0) throw tooManyStreams(limits.maxStreams);
  const info = parseMediaInfo(result.stdout);
  if (!options.formats.includes(info.formatName)) {
    throw new PermanentError(
      'UnsupportedFormat',
      `The file is of format ${info.formatName}; allowed: ${ALLOWED_FILES}`,
    );
  }
  if (info.streamCount > limits.maxStreams) throw tooManyStreams(limits.maxStreams);
  // A picture that was too large to be looked at has no size.
  const oversized = info.video === null ? oversizedPicture(result.stderr) : null;
  if (oversized !== null) throw oversized;
  return info;
}

/** @throws PermanentError `PictureTooLarge` */
export function checkPictureSize(
  { widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number },
  { maxPixels }: MediaLimits,
): void {
  if (widthPx * heightPx > maxPixels) throw pictureTooLarge(widthPx, heightPx, maxPixels);
}

/**
 * ffmpeg takes whatever is named .mp4 for one and misses its moov; say so only of a file that begins like an
 * MP4.
 */
async function withTruth(error: unknown, path: string): Promise<unknown> {
  if (!(error instanceof PermanentError) || error.type !== 'MoovMissing') return error;
  const head = await firstBytes(path, 8);
  if (head.length === 8 && FIRST_BOXES.has(head.toString('latin1', 4, 8))) return error;
  return new PermanentError('NotAVideo', `The file is not a video; allowed: ${ALLOWED_FILES}`);
}

async function firstBytes(path: string, count: number): Promise<Buffer> {
  if (!isAbsolute(path)) {
    const answer = await fetch(path, { headers: { range: `bytes=0-${count - 1}` } });
    return Buffer.from(await answer.arrayBuffer());
  }
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, 0);
  return buffer.subarray(0, bytesRead);
}
