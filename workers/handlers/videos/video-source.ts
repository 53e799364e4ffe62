import type { MediaInfo, VideoStream } from '../../tools/media-info.ts';

/** An original that is available and known to be a video that we take. */
export interface VideoSource {
  /** Absolute path, or the address of a served object. */
  readonly path: string;
  readonly info: MediaInfo;
  readonly video: VideoStream;
}

/**
 * A source of which every packet was looked at: its `info` says what is in the file, whatever its head
 * claims.
 */
export interface MeasuredSource extends VideoSource {
  readonly timing: SourceTiming;
}

/** When the chosen pictures are shown, seconds from the start of the file. */
export interface SourceTiming {
  readonly startSeconds: number;
  readonly pictureEndSeconds: number;
  /** When the last of pictures and sound ends. */
  readonly endSeconds: number;
  /** Pictures come at one rate from the start to the end. */
  readonly isSteady: boolean;
  /** Sound begins late, or is missing for a while on the way. */
  readonly soundHasHoles: boolean;
}
