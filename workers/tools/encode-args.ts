import { colorOf } from './color.ts';
import { encodeLimits, type FfmpegFeatures, frameMode } from './ffmpeg-args.ts';
import type { MediaInfo, VideoStream } from './media-info.ts';
import { convertsColor } from './video-filters.ts';

export interface Encoding {
  /** Quality of libx264, 0 (none lost) to 51. */
  readonly crf: number;
  /** As ffmpeg takes it: `128k`. */
  readonly audioBitRate: string;
  readonly audioFilters?: string;
  /** What becomes of the pictures' times; `vfr` by default. */
  readonly frameMode?: 'passthrough' | 'vfr';
}

/**
 * What each output that people watch has in common: H.264 of what `videoFilters` made, with its colours
 * named, stereo AAC of the probed audio stream, and nothing else of the source.
 */
export function encodeArgs(
  { info, video }: { readonly info: MediaInfo; readonly video: VideoStream },
  { crf, audioBitRate, audioFilters, frameMode: mode = 'vfr' }: Encoding,
  features: FfmpegFeatures,
): readonly string[] {
  const color = colorOf(video, convertsColor(video, features));
  const tag = (option: string, value: string | null) => (value === null ? [] : [option, value]);
  const audio =
    info.audio === null
      ? ['-an']
      : [
          ...['-map', `0:${info.audio.index}`],
          ...(audioFilters === undefined ? [] : ['-af', audioFilters]),
          ...['-c:a', 'aac', '-b:a', audioBitRate, '-ac', '2', '-ar', '48000'],
        ];
  return [
    ...audio,
    ...['-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1'],
    // Variable frame rate stays variable; a constant one would repeat a phone clip's frames up to its time
    // base.
    ...frameMode(features, mode),
    ...encodeLimits(features.limits),
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', String(crf)],
    ...['-profile:v', 'high', '-pix_fmt', 'yuv420p'],
    ...tag('-colorspace', color.matrix),
    ...tag('-color_primaries', color.primaries),
    ...tag('-color_trc', color.transfer),
    ...tag('-color_range', color.range),
  ];
}
