import { isAbsolute } from 'node:path';
import { DomainError } from '../../src/core/errors.ts';
import { rungPlaylistName } from '../../src/storage/video-keys.ts';
import { colorOf } from './color.ts';
import { ladderOf, type Rung } from './ladder.ts';
import { formatWhitelist } from './media-formats.ts';
import type { MediaInfo, VideoStream } from './media-info.ts';
import { convertsColor, MAX_PROXY_FPS, videoFilters } from './video-filters.ts';

/**
 * Length of an HLS segment; also the distance of the forced key frames, so that segments are exactly as long.
 */
export const SEGMENT_SECONDS = 4;
/** Long side of the poster. */
const POSTER_LONG_SIDE_PX = 1280;

/** What the builders must know of the ffmpeg at hand. */
export interface FfmpegFeatures {
  /** `-fps_mode` (5.1 and later; `-vsync`, its older name, is being removed). */
  readonly fpsMode: boolean;
  /** The `zscale` filter, needed to convert HDR. */
  readonly zscale: boolean;
}

export interface HlsJob {
  /** Absolute path of the source. */
  readonly inputPath: string;
  readonly info: MediaInfo;
  readonly video: VideoStream;
  /** What the names of the files carry that it writes into its working directory. */
  readonly generation: number;
  readonly formats: readonly string[];
}

/** Arguments every ffmpeg call begins with: quiet, no terminal, local files only. */
export const PREFIX = ['-hide_banner', '-nostdin', '-y', '-loglevel', 'error'] as const;
const PROTOCOLS = 'file,crypto,data,pipe';

/**
 * An input that cannot be mistaken for an option or a protocol, cannot reach the network and must be of a
 * known format.
 * @throws DomainError `InvalidArgument` for a relative path
 */
export function inputArgs(path: string, formats: readonly string[]): readonly string[] {
  if (!isAbsolute(path))
    throw new DomainError('InvalidArgument', `Input ${JSON.stringify(path)} is not an absolute path`);
  return [
    '-protocol_whitelist',
    PROTOCOLS,
    '-format_whitelist',
    formatWhitelist(formats),
    '-i',
    `file:${path}`,
  ];
}

/**
 * H.264 and AAC in 4 s transport stream segments, with a playlist that grows, for each rung of the ladder: decoded and brought to
 * the best rung's size once, in one process. Progress on stdout. Relative output names, as `segmentName` and `rungPlaylistName`
 * make them.
 */
export function hlsArgs(job: HlsJob, features: FfmpegFeatures): readonly string[] {
  const { video } = job;
  const rungs = ladderOf(video);
  const [best, ...others] = rungs;
  const chain = videoFilters(video, best.size, { zscale: features.zscale, maxFps: MAX_PROXY_FPS });
  const isLadder = others.length > 0;
  return [
    ...PREFIX,
    ...inputArgs(job.inputPath, job.formats),
    // By index, as probed: ffmpeg's own choice could be the cover picture.
    ...(isLadder ? ['-filter_complex', ladderGraph(`[0:${video.index}]${chain}`, others)] : []),
    ...rungs.flatMap((rung, index) => [
      ...['-map', isLadder ? `[v${index}]` : `0:${video.index}`],
      ...(isLadder ? [] : ['-vf', chain]),
      ...rungArgs(job, rung, features),
    ]),
    ...['-progress', 'pipe:1', '-nostats'],
  ];
}

/** Pictures of the best rung as `[v0]`, of the others, made of them, as `[v1]` and on. */
function ladderGraph(best: string, others: readonly Rung[]): string {
  const split = `${best},split=${others.length + 1}[v0]${others.map((_, index) => `[s${index + 1}]`).join('')}`;
  const scaled = others.map(
    ({ size }, index) => `[s${index + 1}]scale=${size.widthPx}:${size.heightPx},setsar=1[v${index + 1}]`,
  );
  return [split, ...scaled].join(';');
}

/** The options of one output, with its name. */
function rungArgs(job: HlsJob, rung: Rung, features: FfmpegFeatures): readonly string[] {
  const { video, info, generation } = job;
  const color = colorOf(video, convertsColor(video, features));
  const tag = (option: string, value: string | null) => (value === null ? [] : [option, value]);
  const audio =
    info.audio === null
      ? ['-an']
      : [
          '-map',
          `0:${info.audio.index}`,
          '-c:a',
          'aac',
          '-b:a',
          rung.audioBitRate,
          '-ac',
          '2',
          '-ar',
          '48000',
        ];
  return [
    ...audio,
    ...['-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1'],
    // Variable frame rate stays variable; a constant one would repeat a phone clip's frames up to its time
    // base.
    ...(features.fpsMode ? ['-fps_mode', 'vfr'] : ['-vsync', 'vfr']),
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-profile:v', 'high', '-pix_fmt', 'yuv420p'],
    ...tag('-colorspace', color.matrix),
    ...tag('-color_primaries', color.primaries),
    ...tag('-color_trc', color.transfer),
    ...tag('-color_range', color.range),
    ...['-force_key_frames', `expr:gte(t,n_forced*${SEGMENT_SECONDS})`, '-sc_threshold', '0'],
    ...['-f', 'hls', '-hls_time', String(SEGMENT_SECONDS)],
    // Written anew with each segment: it says which of them are whole, and how long they are.
    ...['-hls_playlist_type', 'event', '-hls_flags', 'independent_segments+temp_file'],
    ...['-hls_segment_filename', `segment_r${generation}_${rung.name === null ? '' : `${rung.name}_`}%d.ts`],
    rungPlaylistName(generation, rung.name),
  ];
}

/**
 * One JPEG from a segment that was just made: upright, in SDR and square pixels already. `thumbnail` picks
 * the most typical of its first frames, which is hardly ever a black or half-faded one.
 */
export function posterArgs(segmentPath: string, outputName: string): readonly string[] {
  const scale = `scale=w='if(gte(iw,ih),min(iw,${POSTER_LONG_SIDE_PX}),-2)':h='if(gte(iw,ih),-2,min(ih,${POSTER_LONG_SIDE_PX}))'`;
  return [
    ...PREFIX,
    ...inputArgs(segmentPath, ['mpegts']),
    '-map',
    '0:v:0',
    '-vf',
    // Every sixth frame, the first always among them, is enough to choose from, at half the cost.
    // A JPEG's colours have no tag, and are read as those of BT.601.
    `select=not(mod(n\\,6)),thumbnail=n=8,${scale}:out_color_matrix=bt601:out_range=pc`,
    '-frames:v',
    '1',
    '-q:v',
    '3',
    '-f',
    'mjpeg',
    outputName,
  ];
}

/** ffprobe's description of a file as JSON. */
export function probeArgs(path: string, formats: readonly string[]): readonly string[] {
  return [
    '-v',
    'error',
    '-print_format',
    'json',
    '-show_format',
    '-show_streams',
    ...inputArgs(path, formats),
  ];
}
