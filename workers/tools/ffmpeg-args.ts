import { isAbsolute } from 'node:path';
import { DomainError } from '../../src/core/errors.ts';
import { formatWhitelist } from './media-formats.ts';
import type { MediaInfo, VideoStream } from './media-info.ts';
import { fitWithin, MAX_PROXY_FPS, videoFilters } from './video-filters.ts';

/**
 * Length of an HLS segment; also the distance of the forced key frames, so that segments are exactly as long.
 */
export const SEGMENT_SECONDS = 4;
/** Long and short side of the stream at most; larger sources are scaled down, smaller ones never up. */
const MAX_LONG_SIDE_PX = 1920;
const MAX_SHORT_SIDE_PX = 1080;
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
  /** Names of the files it writes into its working directory. `segmentPattern` has one `%d`. */
  readonly playlistName: string;
  readonly segmentPattern: string;
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
 * H.264 and AAC in 4 s transport stream segments with a VOD playlist; progress on stdout. Relative output
 * names.
 */
export function hlsArgs(job: HlsJob, features: FfmpegFeatures): readonly string[] {
  const { video, info } = job;
  const size = fitWithin(video.displayWidthPx, video.displayHeightPx, MAX_LONG_SIDE_PX, MAX_SHORT_SIDE_PX);
  const audio =
    info.audio === null
      ? ['-an']
      : ['-map', `0:${info.audio.index}`, '-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-ar', '48000'];
  return [
    ...PREFIX,
    ...inputArgs(job.inputPath, job.formats),
    // By index, as probed: ffmpeg's own choice could be the cover picture.
    '-map',
    `0:${video.index}`,
    ...audio,
    '-sn',
    '-dn',
    '-map_metadata',
    '-1',
    '-map_chapters',
    '-1',
    // Variable frame rate stays variable; a constant one would repeat a phone clip's frames up to its time
    // base.
    ...(features.fpsMode ? ['-fps_mode', 'vfr'] : ['-vsync', 'vfr']),
    '-vf',
    videoFilters(video, size, { zscale: features.zscale, maxFps: MAX_PROXY_FPS }),
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-crf',
    '23',
    '-profile:v',
    'high',
    '-pix_fmt',
    'yuv420p',
    '-force_key_frames',
    `expr:gte(t,n_forced*${SEGMENT_SECONDS})`,
    '-sc_threshold',
    '0',
    '-f',
    'hls',
    '-hls_time',
    String(SEGMENT_SECONDS),
    '-hls_playlist_type',
    'vod',
    '-hls_flags',
    'independent_segments',
    '-hls_segment_filename',
    job.segmentPattern,
    '-progress',
    'pipe:1',
    '-nostats',
    job.playlistName,
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
    `select=not(mod(n\\,6)),thumbnail=n=8,${scale}`,
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
