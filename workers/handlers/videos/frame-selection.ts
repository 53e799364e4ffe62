import { DEFAULT_DEDUPE_THRESHOLD } from '../../../src/domains/videos/definitions/sample.ts';
import type { FrameManifest, KeptFrame } from '../../../src/domains/videos/pipeline/frame-manifest.ts';
import { meanDifference, meanLuma, shrinkForHash, someCellDiffers } from '../../tools/frame-cells.ts';
import { FrameIndex } from '../../tools/frame-index.ts';
import { HASH_BITS, hashDistance, type PerceptualHash, perceptualHash } from '../../tools/perceptual-hash.ts';
import { MinuteBudget } from './sample-budget.ts';
import { KeptCells } from './sample-cells.ts';

export interface FrameSelectorOptions {
  readonly targetFps: number;
  readonly dedupeThreshold: number;
  readonly maxFramesPerMinute: number;
}

/** A picture as it comes from the decoder. */
export interface Picture {
  readonly tMs: number;
  readonly cells: Uint8Array;
  readonly jpeg: Buffer;
}

/** A picture that is to be kept. */
export interface ChosenFrame {
  readonly tMs: number;
  readonly meanLuma: number;
  readonly jpeg: Buffer;
}

type Span = readonly [startMs: number, endMs: number];
type HashedPicture = Picture & { readonly hash: PerceptualHash };
type TimedFrame = Pick<KeptFrame, 'tMs' | 'meanLuma' | 'spans'>;

const DEFAULT_DISSIMILARITY = 1 - DEFAULT_DEDUPE_THRESHOLD;
/** A picture that stands for as long as this many sampling steps is one that a person could have read. */
const STANDING_STEPS = 1.5;
const NO_FRAME = -1;
/**
 * How much nearer than any kept frame the next picture is to one that passes, if that is the beginning of
 * what comes.
 */
const CLEARLY_NEARER = 0.5;
/** An encoder has made a page sharp by then; what changes for longer is a film or a scroll. */
const MAX_UNSHARP_MS = 500;
/** Kept frames of a similar hash that are compared with a picture that passes. */
const MAX_RIVALS = 4;

/**
 * Decides which pictures are kept, and when the video showed each of them, one picture at a time and with
 * bounded memory.
 *
 * - Pictures are the same when their hashes are similar enough (the video system's rule, against all kept
 *   frames) **and** no small cell of them differs: a hash does not see one changed price.
 * - What stands is kept before what passes: pictures in the middle of a scroll are gone with the next one,
 *   and nobody reads them. So each picture that is new waits for the one after it.
 * - Where an encoder needs some pictures for a new page to become sharp, those belong to what follows, and
 *   not to an older page whose hash is similar.
 * - What only its cells distinguish from a kept frame (a clock, a cursor) has half of a minute's room; beyond
 *   it, it counts as that frame.
 */
export class FrameSelector {
  readonly #maxDistance: number;
  readonly #tolerance: number;
  readonly #standingMs: number;
  readonly #index: FrameIndex;
  readonly #cells = new KeptCells();
  readonly #budget: MinuteBudget;
  readonly #frames: { tMs: number; meanLuma: number; spans: Span[] }[] = [];
  /** New, and not decided yet. */
  #pending: HashedPicture | null = null;
  /** Left out last: while it stands it counts once. */
  #dropped: HashedPicture | null = null;
  /** What is on screen since when, up to the next picture. */
  #showing: { readonly tMs: number; readonly frame: number } | null = null;
  /** Pictures from here on belong to what is on screen next. */
  #joinsFromMs: number | null = null;
  /** The frame that was on screen last. */
  #lastFrame = NO_FRAME;
  #lastMs = -1;
  #sampledCount = 0;

  constructor(options: FrameSelectorOptions) {
    const dissimilarity = 1 - options.dedupeThreshold;
    this.#maxDistance = Math.floor(HASH_BITS * dissimilarity + 1e-9);
    // A lower threshold is a wish for fewer frames; a higher one cannot mean that noise makes some.
    this.#tolerance = Math.max(1, dissimilarity / DEFAULT_DISSIMILARITY);
    this.#standingMs = (STANDING_STEPS * 1000) / options.targetFps;
    this.#index = new FrameIndex(this.#maxDistance);
    this.#budget = new MinuteBudget(options.maxFramesPerMinute);
  }

  get sampledCount(): number {
    return this.#sampledCount;
  }

  get lastMs(): number {
    return Math.max(0, this.#lastMs);
  }

  /**
   * Takes the next picture, of a later time than the one before.
   * @returns the one before, if it is to be kept
   */
  push(picture: Picture): ChosenFrame | null {
    // Two pictures within one millisecond, or a time stamp that goes back: files have both.
    if (picture.tMs <= this.#lastMs) return null;
    const hashed = { ...picture, hash: perceptualHash(shrinkForHash(picture.cells)) };
    const chosen = this.#decide(hashed);
    this.#close(picture.tMs);
    this.#lastMs = picture.tMs;
    this.#sampledCount++;
    const frame = this.#find(hashed);
    if (frame === NO_FRAME) this.#pending = hashed;
    else this.#show(picture.tMs, frame);
    if (frame !== NO_FRAME) this.#budget.covered(picture.tMs);
    return chosen;
  }

  /**
   * The end of the video.
   * @param endMs when the last picture ends
   * @returns the last picture, if it is to be kept
   */
  finish(endMs: number): ChosenFrame | null {
    const end = Math.max(endMs, this.#lastMs + 1);
    const chosen = this.#decide(null, end);
    this.#close(end);
    this.#budget.finish(end);
    return chosen;
  }

  /** After `finish`. */
  get frames(): readonly TimedFrame[] {
    return this.#frames;
  }

  /** After `finish`. */
  get capped(): FrameManifest['capped'] {
    return this.#budget.capped;
  }

  /** Decides about the picture that waits, now that the next is known. */
  #decide(next: HashedPicture | null, endMs = next?.tMs ?? 0): ChosenFrame | null {
    const picture = this.#pending;
    if (picture === null) return null;
    this.#pending = null;
    const stands = endMs - picture.tMs >= this.#standingMs || (next !== null && this.#areSame(picture, next));
    const similar = this.#index.findLast(picture.hash);
    const isKept = similar === NO_FRAME ? this.#roomFor(picture, stands) : this.#roomBeside(picture, stands);
    if (isKept) {
      const frame = this.#index.add(picture.hash);
      this.#cells.add(picture.cells);
      const luma = meanLuma(picture.cells);
      this.#frames.push({ tMs: picture.tMs, meanLuma: luma, spans: [] });
      this.#show(picture.tMs, frame);
      this.#dropped = null;
      return { tMs: picture.tMs, meanLuma: luma, jpeg: picture.jpeg };
    }
    if (!stands && next !== null && this.#isBeginningOf(next, picture, similar))
      this.#joinsFromMs ??= picture.tMs;
    else this.#show(picture.tMs, similar);
    return null;
  }

  /**
   * Whether a picture that passes is an unsharp one of what the next shows: clearly nearer to it than to what
   * it could be taken for.
   */
  #isBeginningOf(next: HashedPicture, picture: HashedPicture, similar: number): boolean {
    if (picture.tMs - (this.#joinsFromMs ?? picture.tMs) > MAX_UNSHARP_MS) return false;
    if (hashDistance(picture.hash, next.hash) > this.#maxDistance) return false;
    const limit = meanDifference(picture.cells, next.cells) / CLEARLY_NEARER;
    const isFar = (frame: number): boolean => {
      const cells = this.#cells.of(frame);
      return cells === null || meanDifference(picture.cells, cells) > limit;
    };
    let rival = similar;
    for (let count = 0; rival !== NO_FRAME && count < MAX_RIVALS; count++) {
      if (!isFar(rival)) return false;
      rival = this.#index.findLast(picture.hash, rival);
    }
    return isFar(this.#lastFrame);
  }

  #show(tMs: number, frame: number): void {
    this.#showing = { tMs: this.#joinsFromMs ?? tMs, frame };
    this.#joinsFromMs = null;
    if (frame !== NO_FRAME) this.#lastFrame = frame;
  }

  #roomFor(picture: HashedPicture, stands: boolean): boolean {
    if (stands ? this.#budget.takeStanding(picture.tMs) : this.#budget.takePassing(picture.tMs)) return true;
    if (this.#dropped === null || !this.#areSame(picture, this.#dropped))
      this.#budget.drop(picture.tMs, stands);
    this.#dropped = picture;
    return false;
  }

  #roomBeside(picture: HashedPicture, stands: boolean): boolean {
    return stands && this.#budget.takeVariant(picture.tMs);
  }

  #areSame(a: HashedPicture, b: HashedPicture): boolean {
    return (
      hashDistance(a.hash, b.hash) <= this.#maxDistance && !someCellDiffers(a.cells, b.cells, this.#tolerance)
    );
  }

  /** The newest kept frame that is the same; -1 when there is none. */
  #find({ hash, cells }: HashedPicture): number {
    let frame = this.#index.findLast(hash);
    while (frame >= 0 && this.#cells.differs(frame, cells, this.#tolerance))
      frame = this.#index.findLast(hash, frame);
    return frame;
  }

  /** Ends what was on screen. */
  #close(endMs: number): void {
    if (this.#showing === null) return;
    const { tMs, frame } = this.#showing;
    this.#showing = null;
    if (frame === NO_FRAME) return;
    const { spans } = this.#frames[frame] as { spans: Span[] };
    const last = spans.at(-1);
    if (last?.[1] === tMs) spans[spans.length - 1] = [last[0], endMs];
    else spans.push([tMs, endMs]);
  }
}
