/** What the packets of a stream say, seconds from the start of the file. */
export interface StreamExtent {
  readonly count: number;
  /** When the first that can be decoded by itself is shown. */
  readonly startSeconds: number;
  /** When the last one ends. */
  readonly endSeconds: number;
  /** The longest that one stands. */
  readonly maxGapSeconds: number;
  /** On average; null of a single one. */
  readonly perSecond: number | null;
}

/**
 * A last packet that does not state its length lasts as long as those before it, but not longer than this.
 */
const MAX_GUESSED_SECONDS = 0.2;

/** Adds up the times of a stream's packets, in the order in which they are decoded. */
export class PacketTimes {
  #count = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;
  #lastDuration = 0;
  #key: number | null = null;
  #decoded: number | null = null;
  #maxGap = 0;

  get count(): number {
    return this.#count;
  }

  /**
   * @param dts when it is decoded
   * @param pts when it is shown; null where the file does not say
   */
  add(
    dts: number | null,
    pts: number | null,
    { seconds, isKey }: { readonly seconds: number; readonly isKey: boolean },
  ): void {
    this.#count++;
    // Times of decoding go up evenly where those of showing do not: their gaps are the same ones.
    const decoded = dts ?? pts;
    if (decoded !== null) {
      if (this.#decoded !== null) this.#maxGap = Math.max(this.#maxGap, decoded - this.#decoded);
      this.#decoded = decoded;
    }
    const shown = pts ?? dts;
    if (shown === null) return;
    this.#first = Math.min(this.#first, shown);
    if (isKey && this.#key === null) this.#key = shown;
    if (shown >= this.#last) [this.#last, this.#lastDuration] = [shown, seconds];
  }

  /** Null while there is no packet with a time. */
  get extent(): StreamExtent | null {
    if (!Number.isFinite(this.#last)) return null;
    const span = this.#last - this.#first;
    const perSecond = this.#count > 1 && span > 0 ? (this.#count - 1) / span : null;
    const guessed = Math.min(MAX_GUESSED_SECONDS, perSecond === null ? 0.04 : 1 / perSecond);
    return {
      count: this.#count,
      startSeconds: Math.max(this.#first, this.#key ?? this.#first),
      endSeconds: this.#last + (this.#lastDuration > 0 ? this.#lastDuration : guessed),
      maxGapSeconds: this.#maxGap,
      perSecond,
    };
  }
}
