import { CELLS } from './frame-args.ts';
import { HASH_SIDE } from './perceptual-hash.ts';

/** Bytes of a small gray picture. */
export const CELL_COUNT = CELLS.widthPx * CELLS.heightPx;
const BLOCK_WIDTH = CELLS.widthPx / HASH_SIDE;
const BLOCK_HEIGHT = CELLS.heightPx / HASH_SIDE;

/** The 32 × 32 gray picture that is hashed: means of blocks of cells. */
export function shrinkForHash(cells: Uint8Array): Float64Array {
  const gray = new Float64Array(HASH_SIDE * HASH_SIDE);
  for (let row = 0; row < CELLS.heightPx; row++) {
    const line = Math.floor(row / BLOCK_HEIGHT) * HASH_SIDE;
    const start = row * CELLS.widthPx;
    for (let column = 0; column < HASH_SIDE; column++) {
      let sum = 0;
      for (let x = 0; x < BLOCK_WIDTH; x++) sum += cells[start + column * BLOCK_WIDTH + x] as number;
      gray[line + column] = (gray[line + column] as number) + sum;
    }
  }
  for (let index = 0; index < gray.length; index++)
    gray[index] = (gray[index] as number) / (BLOCK_WIDTH * BLOCK_HEIGHT);
  return gray;
}

/** 0 (black) to 255, rounded to tenths. */
export function meanLuma(cells: Uint8Array): number {
  let sum = 0;
  for (let index = 0; index < cells.length; index++) sum += cells[index] as number;
  return Math.round((10 * sum) / cells.length) / 10;
}

/** How far the cells of two pictures are apart, on average: 0 to 255. */
export function meanDifference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += Math.abs((a[index] as number) - (b[index] as number));
  return sum / a.length;
}

/**
 * Differences of a cell that are surely compression and surely a change. Measured on a recorded feed: noise
 * of a good encoder reaches 3, of a starved one 24; one changed digit makes 10 to 28.
 */
const SURELY_NOISE = 7;
const SURELY_CHANGED = 26;
/**
 * Noise is everywhere: its largest difference is 6 to 13 times the root of the mean square. A changed word
 * makes it 75 and more.
 */
const STANDS_OUT = 12;

/**
 * Whether some cell of one picture differs from the same cell of the other by more than their noise explains.
 * @param tolerance 1: as measured; more overlooks larger changes
 */
export function someCellDiffers(a: Uint8Array, b: Uint8Array, tolerance = 1): boolean {
  let [largest, squares] = [0, 0];
  for (let index = 0; index < a.length; index++) {
    const difference = (a[index] as number) - (b[index] as number);
    squares += difference * difference;
    if (difference > largest) largest = difference;
    else if (-difference > largest) largest = -difference;
  }
  const noise = Math.sqrt(squares / a.length);
  return largest > tolerance * Math.min(SURELY_CHANGED, Math.max(SURELY_NOISE, STANDS_OUT * noise));
}
