import { isAbsolute } from 'node:path';
import { DomainError } from '../../src/core/errors.ts';
import { formatWhitelist } from './media-formats.ts';

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
