import { decodeLimits, type FfmpegFeatures, filterLimits, frameMode, PREFIX } from '../ffmpeg-args.ts';
import type { PixelSize } from '../video-filters.ts';

/**
 * How much larger the even picture is: small print of a screen is 10 px high, and is read better at 15.
 * Measured on rendered pages of 15 to 28 px: 1.5 finds as many words as 2, in three quarters of the time.
 */
const EVEN_SCALE = 1.5;
/**
 * The plain one is read by tesseract's own rules, which find white print on black only when it is large
 * enough.
 */
const PLAIN_SCALE = 2;

/** A frame larger than this is read as it is. */
const SCALED_LONG_SIDE_PX = 2560;

/** How much larger than the frame its two pictures are. */
export function pictureScales({ widthPx, heightPx }: PixelSize): {
  readonly plain: number;
  readonly even: number;
} {
  const isLarge = Math.max(widthPx, heightPx) > SCALED_LONG_SIDE_PX;
  return isLarge ? { plain: 1, even: 1 } : { plain: PLAIN_SCALE, even: EVEN_SCALE };
}

/**
 * Frames of one size, and what their pictures are to be called: each name with `%d` for the frame's place,
 * counted from 1.
 */
export interface PicturesJob {
  readonly frames: string;
  readonly count: number;
  readonly size: PixelSize;
  readonly plain: string;
  readonly even: string;
}

/**
 * Makes two enlarged pictures of each frame in one process: `plain`, gray, and `even`, in which everything
 * that stands out from its surroundings is dark on white, whether it was lighter or darker than they: dark
 * windows on a light desktop, white print on a coloured button, blue on black. Nearly all is read in the
 * second; the first adds headings, terminals, and what stands at the edge of a window.
 *
 * Many frames at once, since setting up the graph takes as long as the pictures of twenty (0.8 s against
 * 0.035 s each of 720p).
 */
export function pictureArgs(
  { frames, count, size, plain, even }: PicturesJob,
  features: Pick<FfmpegFeatures, 'fpsMode' | 'limits'>,
): readonly string[] {
  // Even sizes: the filter works on halves.
  const pad = 'format=gray,pad=ceil(iw/2)*2:ceil(ih/2)*2:0:0:color=gray';
  const scales = pictureScales(size);
  const graph = [
    `[0:v]${pad},split=4[p][a][a1][b]`,
    `[p]${enlarged(scales.plain)}[plain]`,
    '[b]scale=iw/2:ih/2:flags=area,split[o][c]',
    // Opening takes light strokes away, closing dark ones.
    `[o]${repeat('erosion')},${repeat('dilation')},scale=iw*2:ih*2:flags=neighbor[open]`,
    `[c]${repeat('dilation')},${repeat('erosion')},scale=iw*2:ih*2:flags=neighbor[close]`,
    '[a][open]blend=all_mode=subtract,split[light][light1]',
    '[close][a1]blend=all_mode=subtract,split[dark][dark1]',
    // Around each place, print is what there is less of: closing fills the whole line behind light letters,
    // opening behind dark ones.
    `[light1]scale=iw/${BLOCK_PX}:ih/${BLOCK_PX}:flags=area,${AVERAGED}[l2]`,
    `[dark1]scale=iw/${BLOCK_PX}:ih/${BLOCK_PX}:flags=area,${AVERAGED}[d2]`,
    `[l2][d2]blend=all_expr='if(lt(A\\,B)\\,255\\,0)',scale=${evenUp(size.widthPx)}:${evenUp(size.heightPx)}:flags=bilinear[mask]`,
    `[dark][light][mask]maskedmerge,lutyuv=y='255-min(255\\,val*${CONTRAST})',${enlarged(scales.even)}[even]`,
  ].join(';');
  const each = [
    ...frameMode(features, 'passthrough'),
    ...['-frames:v', String(count), '-f', 'image2', '-c:v', 'pgm'],
  ];
  return [
    ...PREFIX,
    ...filterLimits(features.limits),
    ...['-protocol_whitelist', 'file,pipe'],
    ...decodeLimits({ ...features.limits, maxPixels: Math.min(features.limits.maxPixels, roomFor(size)) }),
    ...['-f', 'image2', '-pattern_type', 'sequence', '-start_number', '1', '-i', `file:${frames}`],
    ...['-filter_complex', graph],
    ...['-map', '[plain]', ...each, plain],
    ...['-map', '[even]', ...each, even],
  ];
}

/**
 * In pixels of half the frame's size, to each side: what is up to 21 px wide counts as a stroke. More would
 * take the buttons and bars that print stands on for strokes; letters with wider ones are read in the plain
 * picture.
 */
const STROKE_STEPS = 5;
const CONTRAST = 2;
const DECODER_MARGIN_PX = 256;
const BLOCK_PX = 16;
/**
 * Over nine blocks in a row and three rows: a word and what is around it. Not `avgblur`, which takes 0.3 s to
 * get ready.
 */
const AVERAGED = [
  `convolution=0m='${'1 '.repeat(9).trim()}':0rdiv=1/9:0mode=row`,
  "convolution=0m='1 1 1':0rdiv=1/3:0mode=column",
].join(',');

function enlarged(scale: number): string {
  return scale === 1 ? 'null' : `scale=iw*${scale}:ih*${scale}:flags=lanczos`;
}

function repeat(filter: string): string {
  return new Array(STROKE_STEPS).fill(filter).join(',');
}

/**
 * Frames are of one size: what says otherwise would be enlarged beyond what the reader can take. Decoders add
 * to both sides.
 */
function roomFor({ widthPx, heightPx }: PixelSize): number {
  return (widthPx + DECODER_MARGIN_PX) * (heightPx + DECODER_MARGIN_PX);
}

function evenUp(px: number): number {
  return 2 * Math.ceil(px / 2);
}
