import { renditionPlaylistName } from '../../src/storage/video-keys.ts';
import { deinterlaceFilter } from './deinterlace.ts';
import { encodeArgs } from './encode-args.ts';
import { type FfmpegFeatures, filterLimits, frameMode, inputArgs, PREFIX } from './ffmpeg-args.ts';
import { ladderOf, type Rendition } from './ladder.ts';
import type { MediaInfo, VideoStream } from './media-info.ts';
import { fillFilters, type PictureTiming } from './picture-fill.ts';
import { POSTER_OUTPUT, posterFilters } from './poster-args.ts';
import { MAX_PROXY_FPS, videoFilters } from './video-filters.ts';

/**
 * Length of an HLS segment; also the distance of the forced key frames, so that segments are exactly as long.
 */
export const SEGMENT_SECONDS = 4;

/** File descriptor on which the times of decoded pictures come, and their unit, parts of a second. */
export const TIMES_PIPE = 3;
export const TIMES_BASE = 1_000_000;
/** The time base of a transport stream. */
const STREAM_TIME_BASE = 90_000;
/** The H.264 level for up to 1080 lines at 60 pictures a second. */
const LEVEL = '4.2';
/** More than two hours of sound. */
const MAX_WAITING_PACKETS = 400_000;
/** Silence where there is no sound: players need some from the beginning on. */
const SILENCE_FILTER = 'aresample=async=1:first_pts=0';

export interface HlsJob {
  /** Absolute path of the source. */
  readonly inputPath: string;
  readonly info: MediaInfo;
  readonly video: VideoStream;
  /** What the names of the files carry that it writes into its working directory. */
  readonly generation: number;
  readonly formats: readonly string[];
  readonly timing: PictureTiming;
}

/**
 * H.264 and AAC in 4 s transport stream segments, with a playlist that grows, for each rendition of the
 * ladder, and a poster of the first frames: decoded and brought to the best rendition's size once, in one
 * process. Progress on stdout, the time of each picture that was decoded on the pipe `TIMES_PIPE`, as lines
 * of framecrc. Relative output names, as `segmentName` and `renditionPlaylistName` make them, and
 * `POSTER_NAME`.
 */
export function hlsArgs(job: HlsJob, features: FfmpegFeatures): readonly string[] {
  const { video, timing } = job;
  const renditions = ladderOf(video);
  const [best, ...others] = renditions;
  const maxFps = timing.isSteady ? MAX_PROXY_FPS : Number.POSITIVE_INFINITY;
  const chain = videoFilters(video, best.size, { zscale: features.zscale, maxFps });
  return [
    ...PREFIX,
    ...filterLimits(features.limits),
    ...inputArgs(job.inputPath, job.formats, features.limits),
    // By index, as probed: ffmpeg's own choice could be the cover picture.
    ...[
      '-filter_complex',
      streamGraph(
        `[0:${video.index}]${deinterlaceFilter(video)}${chain}`,
        job,
        features.fpsMode,
        others,
        posterFilters(video, features),
      ),
    ],
    ...renditions.flatMap((rendition, index) => [
      '-map',
      `[v${index}]`,
      ...renditionArgs(job, rendition, features),
    ]),
    ...POSTER_OUTPUT,
    ...timesOutput(features),
    ...['-progress', 'pipe:1', '-nostats'],
  ];
}

/**
 * Pictures of the best rendition as `[v0]`, of the others, made of them, as `[v1]` and on, the `[poster]`,
 * and specks as `[times]`.
 */
function streamGraph(
  best: string,
  { timing, video }: HlsJob,
  joinsRates: boolean,
  others: readonly Rendition[],
  poster: string,
): string {
  const inputs = others.map((_, index) => `[s${index + 1}]`).join('');
  const scaled = others.map(
    ({ size }, index) => `[s${index + 1}]scale=${size.widthPx}:${size.heightPx},setsar=1[v${index + 1}]`,
  );
  const fill = { fps: video.fps, maxFps: MAX_PROXY_FPS, segmentSeconds: SEGMENT_SECONDS, joinsRates };
  return [
    ...(timing.isSteady
      ? [`${best},split=${others.length + 3}[v0]${inputs}[first][specks]`]
      : [
          `${best},split=2[made][specks]`,
          ...fillFilters('made', 'whole', timing, fill),
          `[whole]split=${others.length + 2}[v0]${inputs}[first]`,
        ]),
    '[specks]crop=2:2:0:0[times]',
    ...scaled,
    `[first]${poster}[poster]`,
  ].join(';');
}

function timesOutput(features: FfmpegFeatures): readonly string[] {
  return [
    ...['-map', '[times]', ...frameMode(features, 'passthrough'), '-enc_time_base', `1:${TIMES_BASE}`],
    ...['-c:v', 'rawvideo', '-flush_packets', '1', '-f', 'framecrc', `pipe:${TIMES_PIPE}`],
  ];
}

/** The options of one output, with its name. */
function renditionArgs(job: HlsJob, rendition: Rendition, features: FfmpegFeatures): readonly string[] {
  return [
    ...encodeArgs(
      job,
      {
        crf: 23,
        audioBitRate: rendition.audioBitRate,
        ...(job.timing.soundHasHoles && { audioFilters: SILENCE_FILTER }),
      },
      features,
    ),
    // Pictures of any times keep them; of the rate that libx264 then believes in, only its choice of a level
    // is wrong.
    ...(job.timing.isSteady || !features.fpsMode
      ? []
      : ['-enc_time_base', `1:${STREAM_TIME_BASE}`, '-level', LEVEL]),
    // Sound of before the first picture waits for it.
    ...['-max_muxing_queue_size', String(MAX_WAITING_PACKETS)],
    ...['-force_key_frames', `expr:gte(t,n_forced*${SEGMENT_SECONDS})`, '-sc_threshold', '0'],
    ...['-f', 'hls', '-hls_time', String(SEGMENT_SECONDS)],
    // Written again with each segment: it says which of them are whole, and how long they are.
    ...['-hls_playlist_type', 'event', '-hls_flags', 'independent_segments+temp_file'],
    ...[
      '-hls_segment_filename',
      `segment_r${job.generation}_${rendition.name === null ? '' : `${rendition.name}_`}%d.ts`,
    ],
    renditionPlaylistName(job.generation, rendition.name),
  ];
}
