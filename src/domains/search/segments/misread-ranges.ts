import type { PixelBox } from '../../../text/text-line.ts';
import { isMisreading, isSamePlace } from './misreading.ts';

/** A time range of a text. */
export interface TextRange {
  readonly id: string;
  readonly textHash: string;
  readonly normalizedText: string;
  readonly tStartMs: number;
  readonly tEndMs: number;
  readonly confidence: number;
  readonly box: PixelBox;
}

/** What to make of ranges. */
interface RangeJoins {
  /** The second is the same text as the first and goes on with it. */
  readonly joined: (readonly [keptId: string, otherId: string])[];
  /** Were the text of a range that was there all the time, misread. */
  readonly misreadIds: string[];
}

/** A range as far as it has grown, and what may turn out to be a misreading of it. */
interface Live {
  readonly range: TextRange;
  tEndMs: number;
  confidence: number;
  /** The range in whose place this one stepped. */
  readonly before: Live | null;
  isGone: boolean;
}

/** Texts that nothing can follow any more are dropped after this many others. */
const SWEEP_EVERY = 5_000;

/**
 * Finds texts that were misread for a while: what stands there in between, at the same place and with one
 * letter different, while the text is read before and after it, and with no more confidence. Only that is a
 * misreading for sure; a text that changes and does not change back may really have changed. Takes the ranges
 * in the order of time, one by one, and holds only those that a next one may follow.
 */
export class MisreadRanges {
  readonly #toleranceMs: number;
  /** By the halves of a text: where one letter differs, one of them is equal. */
  readonly #byHalf = new Map<string, Live[]>();
  #joins: RangeJoins = { joined: [], misreadIds: [] };
  #addedCount = 0;

  /** @param toleranceMs how far apart ranges may be that follow each other */
  constructor(toleranceMs: number) {
    this.#toleranceMs = toleranceMs;
  }

  /** Looks at the range that begins next. */
  add(range: TextRange): void {
    if (++this.#addedCount % SWEEP_EVERY === 0) this.#sweep(range.tStartMs);
    const halves = halvesOf(range.normalizedText);
    const near = this.#near(range, halves);
    const around = near.find(({ tEndMs }) => tEndMs >= range.tEndMs);
    if (around !== undefined && range.confidence <= around.confidence) {
      this.#joins.misreadIds.push(range.id);
      return;
    }
    for (const misread of near) {
      const text = misread.before;
      if (text === null || text.isGone || text.range.textHash !== range.textHash) continue;
      const confidence = Math.max(text.confidence, range.confidence);
      if (misread.confidence > confidence || !isSamePlace(text.range.box, range.box)) continue;
      // It was still read after the text: what comes then would be in no range.
      if (misread.tEndMs > range.tEndMs) continue;
      misread.isGone = true;
      this.#joins.misreadIds.push(misread.range.id);
      this.#joins.joined.push([text.range.id, range.id]);
      text.tEndMs = Math.max(text.tEndMs, range.tEndMs);
      text.confidence = confidence;
      this.#remember(text, halves);
      return;
    }
    const before = near.find(({ tEndMs }) => tEndMs < range.tEndMs) ?? null;
    this.#remember(
      { range, tEndMs: range.tEndMs, confidence: range.confidence, before, isGone: false },
      halves,
    );
  }

  /** What was found since the last time. */
  take(): RangeJoins {
    const joins = this.#joins;
    this.#joins = { joined: [], misreadIds: [] };
    return joins;
  }

  #remember(live: Live, halves: readonly string[]): void {
    for (const half of halves) {
      const others = this.#byHalf.get(half);
      if (others === undefined) this.#byHalf.set(half, [live]);
      else if (!others.includes(live)) others.push(live);
    }
  }

  /**
   * Ranges at the same place that go on to this one's begin and may be the same text; those that ended long
   * before are dropped.
   */
  #near(range: TextRange, halves: readonly string[]): Live[] {
    const near = new Set<Live>();
    for (const half of halves) {
      const lives = this.#byHalf.get(half);
      if (lives === undefined) continue;
      const left = lives.filter((live) => this.#mayBeFollowed(live, range.tStartMs));
      this.#byHalf.set(half, left);
      for (const live of left)
        if (
          isMisreading(live.range.normalizedText, range.normalizedText) &&
          isSamePlace(live.range.box, range.box)
        )
          near.add(live);
    }
    return [...near];
  }

  #mayBeFollowed({ isGone, tEndMs }: Live, atMs: number): boolean {
    return !isGone && tEndMs + this.#toleranceMs >= atMs;
  }

  #sweep(atMs: number): void {
    for (const [half, lives] of this.#byHalf)
      if (!lives.some((live) => this.#mayBeFollowed(live, atMs))) this.#byHalf.delete(half);
  }
}

function halvesOf(text: string): [string, string] {
  const middle = text.length >> 1;
  return [`${text.length}<${text.slice(0, middle)}`, `${text.length}>${text.slice(middle)}`];
}
