import { availableParallelism } from 'node:os';
import type { Config } from '../../src/config/config.ts';
import { PermanentError } from '../../src/core/errors.ts';
import type { MediaLimits } from '../handler.ts';

/** Pictures up to 8K: what a decoder of them takes stays below 1 GB. */
export const DEFAULT_MEDIA_LIMITS: MediaLimits = {
  maxPixels: 8192 * 4320,
  maxFps: 240,
  maxStreams: 100,
  threads: Math.min(4, availableParallelism()),
};

/** The limits that are configured. */
export function mediaLimits(
  config: Pick<Config, 'maxVideoPixels' | 'maxVideoFps' | 'maxVideoStreams' | 'ffmpegThreads'>,
): MediaLimits {
  return {
    maxPixels: config.maxVideoPixels,
    maxFps: config.maxVideoFps,
    maxStreams: config.maxVideoStreams,
    threads: Math.min(config.ffmpegThreads, availableParallelism()),
  };
}

/** A picture that is too large to be decoded. */
export function pictureTooLarge(widthPx: number, heightPx: number, maxPixels: number): PermanentError {
  return new PermanentError(
    'PictureTooLarge',
    `The file has pictures of ${widthPx} × ${heightPx} pixels; allowed: ${maxPixels} pixels (width times height)`,
  );
}

/** A file with more streams than are looked at. */
export function tooManyStreams(maxStreams: number): PermanentError {
  return new PermanentError(
    'TooManyStreams',
    `The file has more than ${maxStreams} streams; allowed: ${maxStreams}`,
  );
}

/**
 * The refusal of a picture that a decoder met on the way, by what it complained about; null where it met
 * none.
 */
export function oversizedPicture(complaints: string): PermanentError | null {
  const match = /Picture size (\d+)x(\d+) exceeds specified max pixel count (\d+)/.exec(complaints);
  return match === null ? null : pictureTooLarge(Number(match[1]), Number(match[2]), Number(match[3]));
}
