import { bitCount, type PerceptualHash } from './perceptual-hash.ts';

const FIRST_CAPACITY = 256;

/**
 * The hashes of the frames that are kept, in typed arrays: a look at 10,000 of them takes some 20 µs, so
 * comparing each picture of a video of hours with all of them takes seconds.
 */
export class FrameIndex {
  readonly #maxDistance: number;
  #high = new Uint32Array(FIRST_CAPACITY);
  #low = new Uint32Array(FIRST_CAPACITY);
  #count = 0;

  /** @param maxDistance bits in which hashes of pictures that count as the same may differ */
  constructor(maxDistance: number) {
    this.#maxDistance = maxDistance;
  }

  get count(): number {
    return this.#count;
  }

  /** Returns the number of the frame: they are numbered from 0 on. */
  add({ high, low }: PerceptualHash): number {
    if (this.#count === this.#high.length) {
      this.#high = grown(this.#high);
      this.#low = grown(this.#low);
    }
    this.#high[this.#count] = high;
    this.#low[this.#count] = low;
    return this.#count++;
  }

  /**
   * The newest frame whose hash is as near as the limit or nearer; -1 when there is none.
   * @param before only frames of smaller numbers; default all
   */
  findLast({ high, low }: PerceptualHash, before = this.#count): number {
    for (let frame = Math.min(before, this.#count) - 1; frame >= 0; frame--) {
      const distance = bitCount((this.#high[frame] as number) ^ high);
      if (distance > this.#maxDistance) continue;
      if (distance + bitCount((this.#low[frame] as number) ^ low) <= this.#maxDistance) return frame;
    }
    return -1;
  }
}

function grown(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * array.length);
  larger.set(array);
  return larger;
}
