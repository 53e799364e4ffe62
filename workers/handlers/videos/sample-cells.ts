import { someCellDiffers } from '../../tools/frame-cells.ts';

/** Kept frames whose cells are in memory: 16 MB. */
const REMEMBERED_FRAMES = 1024;

/** The small gray pictures of the frames that are kept, of the newest ones. */
export class KeptCells {
  readonly #rememberedFrames: number;
  readonly #cells: Uint8Array[] = [];
  #count = 0;

  constructor(rememberedFrames = REMEMBERED_FRAMES) {
    this.#rememberedFrames = rememberedFrames;
  }

  /** Adds the cells of the next frame. */
  add(cells: Uint8Array): void {
    this.#cells[this.#count % this.#rememberedFrames] = cells;
    this.#count++;
  }

  /** The cells of this frame; null for one that is too long ago. */
  of(frame: number): Uint8Array | null {
    if (frame < 0 || frame < this.#count - this.#rememberedFrames) return null;
    return this.#cells[frame % this.#rememberedFrames] ?? null;
  }

  /**
   * Whether some cell of this frame differs; of one that is too long ago to compare, no: there the hashes
   * alone decide.
   */
  differs(frame: number, cells: Uint8Array, tolerance: number): boolean {
    const own = this.of(frame);
    return own !== null && someCellDiffers(own, cells, tolerance);
  }
}
