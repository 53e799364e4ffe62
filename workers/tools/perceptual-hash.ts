/** Side of the gray picture that is hashed. */
export const HASH_SIDE = 32;
/** The lowest frequencies in either direction; each gives a bit. */
const BANDS = 8;
export const HASH_BITS = BANDS * BANDS;

/**
 * Frequencies are distinguished in steps of this; those of a page are hundreds. Else the bits of a nearly
 * blank screen would be chosen by the noise, or by one letter.
 */
const FAINT = 16;

/**
 * 64 bits in two halves, as unsigned 32-bit numbers: no BigInt, which would be a hundred times slower to
 * compare.
 */
export interface PerceptualHash {
  readonly high: number;
  readonly low: number;
}

/** `COSINES[band * HASH_SIDE + n]`, of the discrete cosine transform (II). */
const COSINES = Float64Array.from({ length: BANDS * HASH_SIDE }, (_, index) => {
  const [band, n] = [Math.floor(index / HASH_SIDE), index % HASH_SIDE];
  return Math.cos(((2 * n + 1) * band * Math.PI) / (2 * HASH_SIDE));
});

/**
 * pHash: of the 8 × 8 lowest frequencies of a 32 × 32 gray picture, which ones lie above their median.
 * Brightness and contrast don't change it, nor does compression, mostly.
 * @param gray 1,024 values, row by row
 */
export function perceptualHash(gray: ArrayLike<number>): PerceptualHash {
  // By rows first, so that a picture costs 10,000 multiplications and not 65,000.
  const rows = new Float64Array(BANDS * HASH_SIDE);
  for (let y = 0; y < HASH_SIDE; y++) {
    for (let u = 0; u < BANDS; u++) {
      let sum = 0;
      for (let x = 0; x < HASH_SIDE; x++)
        sum += (gray[y * HASH_SIDE + x] as number) * (COSINES[u * HASH_SIDE + x] as number);
      rows[u * HASH_SIDE + y] = sum;
    }
  }
  const bands = new Float64Array(HASH_BITS);
  for (let v = 0; v < BANDS; v++) {
    for (let u = 0; u < BANDS; u++) {
      let sum = 0;
      for (let y = 0; y < HASH_SIDE; y++)
        sum += (rows[u * HASH_SIDE + y] as number) * (COSINES[v * HASH_SIDE + y] as number);
      bands[v * BANDS + u] = Math.round(sum / FAINT);
    }
  }
  const sorted = bands.slice().sort();
  const median = ((sorted[HASH_BITS / 2 - 1] as number) + (sorted[HASH_BITS / 2] as number)) / 2;
  let [high, low] = [0, 0];
  for (let bit = 0; bit < 32; bit++) {
    if ((bands[bit] as number) > median) high |= 1 << bit;
    if ((bands[32 + bit] as number) > median) low |= 1 << bit;
  }
  return { high: high >>> 0, low: low >>> 0 };
}

/** In how many bits two hashes differ, 0 to 64. */
export function hashDistance(a: PerceptualHash, b: PerceptualHash): number {
  return bitCount(a.high ^ b.high) + bitCount(a.low ^ b.low);
}

/** Bits that are set in a 32-bit number. */
export function bitCount(number: number): number {
  let bits = number - ((number >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
