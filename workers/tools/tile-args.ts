import { decodeLimits, encodeLimits, type FfmpegFeatures, filterLimits, PREFIX } from './ffmpeg-args.ts';
import type { PixelSize } from './video-filters.ts';

/** JPEG quality of ffmpeg, 2 (best) to 31: enough for a picture of the size of a thumb. */
const JPEG_QUALITY = '5';

export interface TilesJob {
  /** Name with `%d`, which counts from 1. */
  readonly pictures: string;
  readonly tile: PixelSize;
  readonly columns: number;
  readonly rows: number;
  readonly outputName: string;
}

/**
 * Arguments that make one JPEG of several, each scaled to a tile, row by row; places that are left over are
 * black.
 */
export function tileArgs(
  { pictures, tile, columns, rows, outputName }: TilesJob,
  { limits }: Pick<FfmpegFeatures, 'limits'>,
): readonly string[] {
  const scaled = `scale=${tile.widthPx}:${tile.heightPx}:flags=area:in_range=full:out_range=full,setsar=1,format=yuvj420p`;
  return [
    ...PREFIX,
    ...filterLimits(limits),
    ...['-protocol_whitelist', 'file,pipe'],
    ...decodeLimits(limits),
    ...['-f', 'image2', '-pattern_type', 'sequence', '-start_number', '1', '-i', `file:${pictures}`],
    ...['-vf', `${scaled},tile=${columns}x${rows}`, '-frames:v', '1'],
    // No version in the file: the same pictures give the same bytes, and with them the same name.
    ...['-c:v', 'mjpeg', ...encodeLimits({ ...limits, threads: 1 }), '-q:v', JPEG_QUALITY, '-bitexact'],
    ...['-f', 'mjpeg', outputName],
  ];
}
