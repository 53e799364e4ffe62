import type { FrameManifest } from '../../../src/domains/videos/pipeline/frame-manifest.ts';

const MINUTE_MS = 60_000;
/** Share of a minute's frames that those may have which only small parts distinguish from another one. */
const VARIANT_SHARE = 0.5;
/**
 * From here on a minute counts as full: pictures of a film are kept in even steps, which seldom come out
 * even.
 */
const USED_UP_SHARE = 0.8;

/**
 * How many frames of a minute of the video may be kept, and which kind of them has which room. Takes times in
 * ascending order.
 */
export class MinuteBudget {
  readonly #cap: number;
  readonly #paceMs: number;
  readonly #capped: { minute: number; droppedCount: number }[] = [];
  #minute = 0;
  #keptCount = 0;
  #variantCount = 0;
  #standingDropped = 0;
  #passingDropped = 0;
  #lastKeptMs = Number.NEGATIVE_INFINITY;
  #lastCoveredMs = Number.NEGATIVE_INFINITY;

  /** @param cap frames a minute at most */
  constructor(cap: number) {
    this.#cap = cap;
    this.#paceMs = MINUTE_MS / cap;
  }

  /** After `finish`. */
  get capped(): FrameManifest['capped'] {
    return this.#capped;
  }

  /** The picture of this time is that of a kept frame. */
  covered(tMs: number): void {
    this.#lastCoveredMs = tMs;
  }

  /** A picture that stands gets what room there is. */
  takeStanding(tMs: number): boolean {
    this.#enter(tMs);
    return this.#take(tMs);
  }

  /**
   * A picture that passes is kept only where nothing stands, and in even steps: one of a scroll that lasts, a
   * film.
   */
  takePassing(tMs: number): boolean {
    this.#enter(tMs);
    if (tMs - Math.max(this.#lastKeptMs, this.#lastCoveredMs) < this.#paceMs) return false;
    return this.#take(tMs);
  }

  /** One that is similar to a kept frame, but for some small part. */
  takeVariant(tMs: number): boolean {
    this.#enter(tMs);
    const room = VARIANT_SHARE * this.#cap;
    // Half of their room at once, the rest as the minute goes on: a clock must not use it all up in its first
    // half.
    const released = Math.max(1, room * (0.5 + (0.5 * (tMs % MINUTE_MS)) / MINUTE_MS));
    if (this.#variantCount + 1 > released || !this.#take(tMs)) return false;
    this.#variantCount++;
    return true;
  }

  /** A picture that differs is not kept. */
  drop(tMs: number, stands: boolean): void {
    this.#enter(tMs);
    if (stands) this.#standingDropped++;
    else this.#passingDropped++;
  }

  finish(endMs: number): void {
    this.#close(Math.min(endMs, (this.#minute + 1) * MINUTE_MS));
  }

  #take(tMs: number): boolean {
    if (this.#keptCount >= this.#cap) return false;
    this.#keptCount++;
    this.#lastKeptMs = tMs;
    return true;
  }

  #enter(tMs: number): void {
    const minute = Math.floor(tMs / MINUTE_MS);
    if (minute === this.#minute) return;
    this.#close((this.#minute + 1) * MINUTE_MS);
    this.#minute = minute;
    this.#keptCount = 0;
    this.#variantCount = 0;
    this.#standingDropped = 0;
    this.#passingDropped = 0;
  }

  /**
   * Pictures that passed while there was room count for nothing: it was not the cap that they were left out
   * for.
   */
  #close(endMs: number): void {
    const share = (endMs - this.#minute * MINUTE_MS) / MINUTE_MS;
    const isUsedUp = this.#keptCount >= Math.ceil(USED_UP_SHARE * this.#cap * share);
    const droppedCount = this.#standingDropped + (isUsedUp ? this.#passingDropped : 0);
    if (droppedCount > 0) this.#capped.push({ minute: this.#minute, droppedCount });
  }
}
