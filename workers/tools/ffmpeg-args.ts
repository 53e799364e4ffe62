import { isAbsolute } from 'node:path';
import { DomainError } from '../../src/core/errors.ts';
import type { MediaLimits } from '../handler.ts';
import { formatWhitelist } from './media-formats.ts';
import { DEFAULT_MEDIA_LIMITS } from './media-limits.ts';

/** What the builders must know of the ffmpeg available. */
export interface FfmpegFeatures {
  /** `-fps_mode` (5.1 and later; `-vsync`, its older name, is being removed). */
  readonly fpsMode: boolean;
  /** The `zscale` filter, needed to convert HDR. */
  readonly zscale: boolean;
  readonly limits: MediaLimits;
}

/** Arguments every ffmpeg call begins with: quiet, no terminal, local files only. */
export const PREFIX = ['-hide_banner', '-nostdin', '-y', '-loglevel', 'error'] as const;
const FILE_PROTOCOLS = 'file,crypto,data,pipe';
const SERVED_PROTOCOLS = 'http,tcp';
/** As `serveObject` gives them. */
const SERVED_INPUT = /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}$/;

/**
 * How the times of frames are treated, by the option's name of the ffmpeg available. `vfr`: no frame is
 * repeated.
 */
export function frameMode(
  { fpsMode }: Pick<FfmpegFeatures, 'fpsMode'>,
  mode: 'passthrough' | 'vfr',
): readonly string[] {
  return [fpsMode ? '-fps_mode' : '-vsync', mode];
}

/** What a decoder may take, to stand before its input. */
export function decodeLimits({ maxPixels, threads }: MediaLimits): readonly string[] {
  return ['-max_pixels', String(maxPixels), '-threads', String(threads)];
}

/** Threads of the filters, once for each run of ffmpeg that has a graph of them. */
export function filterLimits({ threads }: MediaLimits): readonly string[] {
  return ['-filter_threads', String(threads), '-filter_complex_threads', String(threads)];
}

/** Threads of an encoder, among the options of its output. */
export function encodeLimits({ threads }: MediaLimits): readonly string[] {
  return ['-threads', String(threads)];
}

/**
 * An input that cannot be mistaken for an option or a protocol, cannot reach the network, must be of a
 * known format and keeps within the limits.
 * @param input absolute path, or the address of a served object
 * @throws DomainError `InvalidArgument` for anything else
 */
export function inputArgs(
  input: string,
  formats: readonly string[],
  limits: MediaLimits = DEFAULT_MEDIA_LIMITS,
): readonly string[] {
  const isServed = SERVED_INPUT.test(input);
  if (!isServed && !isAbsolute(input))
    throw new DomainError('InvalidArgument', `Input ${JSON.stringify(input)} is not an absolute path`);
  return [
    ...['-protocol_whitelist', isServed ? SERVED_PROTOCOLS : FILE_PROTOCOLS],
    ...['-format_whitelist', formatWhitelist(formats)],
    ...decodeLimits(limits),
    ...['-max_streams', String(limits.maxStreams)],
    ...['-i', isServed ? input : `file:${input}`],
  ];
}

/** ffprobe's description of a file as JSON. */
export function probeArgs(
  path: string,
  formats: readonly string[],
  limits: MediaLimits = DEFAULT_MEDIA_LIMITS,
): readonly string[] {
  return [
    '-v',
    'error',
    '-print_format',
    'json',
    '-show_format',
    '-show_streams',
    ...inputArgs(path, formats, { ...limits, threads: 1 }),
  ];
}
