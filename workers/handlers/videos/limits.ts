import { PermanentError } from '../../../src/core/errors.ts';

/** What is refused as too much, for good. */
export interface TranscodeLimits {
  readonly maxVideoSeconds: number;
  /** Size limit of the original. */
  readonly maxSizeBytes: number;
}

/** Least time for the encoder, and how many times the video's length it gets beyond that. */
const MIN_TIMEOUT_SECONDS = 600;
const TIMEOUT_PER_SECOND = 4;

/**
 * How long ffmpeg may go without making more output: far above any pause of a loaded machine, far below
 * hours.
 */
export const STALL_TIMEOUT_MS = 120_000;

/**
 * The encoder's time limit: max(600 s, 4 × duration). A video of unknown length gets that of the longest one
 * taken.
 */
export function encodeTimeoutMs(durationSeconds: number | null, limits: TranscodeLimits): number {
  return (
    1000 * Math.max(MIN_TIMEOUT_SECONDS, TIMEOUT_PER_SECOND * (durationSeconds ?? limits.maxVideoSeconds))
  );
}

/** @throws PermanentError `VideoTooLong` */
export function checkDuration(durationSeconds: number, limits: TranscodeLimits): void {
  if (durationSeconds <= limits.maxVideoSeconds) return;
  const shown = Math.round(durationSeconds * 10) / 10;
  throw new PermanentError(
    'VideoTooLong',
    `The video has ${shown} s or more; allowed: ${limits.maxVideoSeconds} s`,
  );
}
