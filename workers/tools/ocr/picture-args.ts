import { PREFIX } from '../ffmpeg-args.ts';

/** How much larger a frame is read: small print of a screen is 10 px high, of which a reader wants 20 and more. */
export const READING_SCALE = 2;

/** A frame larger than this is read as it is. */
const SCALED_LONG_SIDE_PX = 2560;

export interface PictureSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** How much a frame of this size is enlarged. */
export function readingScale({ widthPx, heightPx }: PictureSize): number {
  return Math.max(widthPx, heightPx) > SCALED_LONG_SIDE_PX ? 1 : READING_SCALE;
}

/**
 * Makes two pictures of a frame, in one process: `plain`, gray and enlarged, and `even`, in which everything that stands out from its
 * surroundings is dark on white, whether it was lighter or darker than they: dark windows on a light desktop, white print on a
 * coloured button, blue on black. The first is best for large letters and clean pages, the second for all else.
 */
export function pictureArgs(
  framePath: string,
  size: PictureSize,
  plain: string,
  even: string,
): readonly string[] {
  const scale = readingScale(size);
  const enlarge = scale === 1 ? 'null' : `scale=iw*${scale}:ih*${scale}:flags=lanczos`;
  // Even sizes: the filter works on halves.
  const pad = 'format=gray,pad=ceil(iw/2)*2:ceil(ih/2)*2:0:0:color=gray';
  const graph = [
    `[0:v]${pad},split=4[p][a][a1][b]`,
    `[p]${enlarge}[plain]`,
    '[b]scale=iw/2:ih/2:flags=area,split[o][c]',
    // Opening takes light strokes away, closing dark ones: up to twice so many pixels of the frame wide.
    `[o]${repeat('erosion')},${repeat('dilation')},scale=iw*2:ih*2:flags=neighbor[open]`,
    `[c]${repeat('dilation')},${repeat('erosion')},scale=iw*2:ih*2:flags=neighbor[close]`,
    '[a][open]blend=all_mode=subtract,split[light][light1]',
    '[close][a1]blend=all_mode=subtract,split[dark][dark1]',
    // Around each place, whichever there is more of is print.
    `[light1]scale=iw/${BLOCK_PX}:ih/${BLOCK_PX}:flags=area,avgblur=sizeX=3:sizeY=3[l2]`,
    `[dark1]scale=iw/${BLOCK_PX}:ih/${BLOCK_PX}:flags=area,avgblur=sizeX=3:sizeY=3[d2]`,
    `[l2][d2]blend=all_expr='if(lt(A\\,B)\\,255\\,0)',scale=${evenUp(size.widthPx)}:${evenUp(size.heightPx)}:flags=bilinear[mask]`,
    `[light][dark][mask]maskedmerge,lutyuv=y='255-min(255\\,val*3)',${enlarge}[even]`,
  ].join(';');
  return [
    ...PREFIX,
    ...[
      '-protocol_whitelist',
      'file,pipe',
      '-f',
      'image2',
      '-pattern_type',
      'none',
      '-i',
      `file:${framePath}`,
    ],
    ...['-filter_complex', graph],
    ...['-map', '[plain]', '-frames:v', '1', '-f', 'image2', '-c:v', 'pgm', plain],
    ...['-map', '[even]', '-frames:v', '1', '-f', 'image2', '-c:v', 'pgm', even],
  ];
}

const STROKE_STEPS = 14;
const BLOCK_PX = 16;

function repeat(filter: string): string {
  return new Array(STROKE_STEPS).fill(filter).join(',');
}

function evenUp(px: number): number {
  return 2 * Math.ceil(px / 2);
}
