import { isAbsolute } from 'node:path';
import { DomainError } from '../../src/core/errors.ts';
import { formatWhitelist } from './media-formats.ts';

/** Long side of the poster. */
const POSTER_LONG_SIDE_PX = 1280;

/** What the builders must know of the ffmpeg at hand. */
export interface FfmpegFeatures {
  /** `-fps_mode` (5.1 and later; `-vsync`, its older name, is being removed). */
  readonly fpsMode: boolean;
  /** The `zscale` filter, needed to convert HDR. */
  readonly zscale: boolean;
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
