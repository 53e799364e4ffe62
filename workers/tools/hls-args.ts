import { rungPlaylistName } from '../../src/storage/video-keys.ts';
import { encodeArgs } from './encode-args.ts';
import { type FfmpegFeatures, inputArgs, PREFIX } from './ffmpeg-args.ts';
import { ladderOf, type Rung } from './ladder.ts';
import type { MediaInfo, VideoStream } from './media-info.ts';
import { POSTER_OUTPUT, posterFilters } from './poster-args.ts';
import { MAX_PROXY_FPS, videoFilters } from './video-filters.ts';

/**
 * Length of an HLS segment; also the distance of the forced key frames, so that segments are exactly as long.
 */
export const SEGMENT_SECONDS = 4;

export interface HlsJob {
  /** Absolute path of the source. */
  readonly inputPath: string;
  readonly info: MediaInfo;
  readonly video: VideoStream;
  /** What the names of the files carry that it writes into its working directory. */
  readonly generation: number;
  readonly formats: readonly string[];
}

/**
 * H.264 and AAC in 4 s transport stream segments, with a playlist that grows, for each rung of the ladder, and a poster of the first
 * frames: decoded and brought to the best rung's size once, in one process. Progress on stdout. Relative output names, as
 * `segmentName` and `rungPlaylistName` make them, and `POSTER_NAME`.
 */
export function hlsArgs(job: HlsJob, features: FfmpegFeatures): readonly string[] {
  const { video } = job;
  const rungs = ladderOf(video);
  const [best, ...others] = rungs;
  const chain = videoFilters(video, best.size, { zscale: features.zscale, maxFps: MAX_PROXY_FPS });
  return [
    ...PREFIX,
    ...inputArgs(job.inputPath, job.formats),
    // By index, as probed: ffmpeg's own choice could be the cover picture.
    ...['-filter_complex', streamGraph(`[0:${video.index}]${chain}`, others, posterFilters(video, features))],
    ...rungs.flatMap((rung, index) => ['-map', `[v${index}]`, ...rungArgs(job, rung, features)]),
    ...POSTER_OUTPUT,
    ...['-progress', 'pipe:1', '-nostats'],
  ];
}

/** Pictures of the best rung as `[v0]`, of the others, made of them, as `[v1]` and on, and the `[poster]`. */
function streamGraph(best: string, others: readonly Rung[], poster: string): string {
  const inputs = others.map((_, index) => `[s${index + 1}]`).join('');
  const scaled = others.map(
    ({ size }, index) => `[s${index + 1}]scale=${size.widthPx}:${size.heightPx},setsar=1[v${index + 1}]`,
  );
  return [
    `${best},split=${others.length + 2}[v0]${inputs}[first]`,
    ...scaled,
    `[first]${poster}[poster]`,
  ].join(';');
}

/** The options of one output, with its name. */
function rungArgs(job: HlsJob, rung: Rung, features: FfmpegFeatures): readonly string[] {
  return [
    ...encodeArgs(job, { crf: 23, audioBitRate: rung.audioBitRate }, features),
    ...['-force_key_frames', `expr:gte(t,n_forced*${SEGMENT_SECONDS})`, '-sc_threshold', '0'],
    ...['-f', 'hls', '-hls_time', String(SEGMENT_SECONDS)],
    // Written anew with each segment: it says which of them are whole, and how long they are.
    ...['-hls_playlist_type', 'event', '-hls_flags', 'independent_segments+temp_file'],
    ...[
      '-hls_segment_filename',
      `segment_r${job.generation}_${rung.name === null ? '' : `${rung.name}_`}%d.ts`,
    ],
    rungPlaylistName(job.generation, rung.name),
  ];
}
