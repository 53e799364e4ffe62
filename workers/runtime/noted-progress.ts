import { boundText, cleanText } from '../../src/core/clean-text.ts';
import { redactText } from '../../src/core/redaction/redact-text.ts';
import { textOf } from '../../src/core/text-of.ts';
import type { ProgressUpdate } from '../handler.ts';
import { Eta } from './eta.ts';

/** A run's progress as it is written. */
export interface Progress {
  readonly percent: number | null;
  readonly stage: string | null;
  readonly message: string | null;
  readonly etaSeconds: number | null;
  readonly previewKey: string | null;
}

const MAX_ETA_SECONDS = 1e9;
const MAX_KEY_LENGTH = 1_024;

/** The newest that the handler of one run has said, and what follows from it. */
export class NotedProgress {
  #percent: number | null = null;
  #stage: string | null = null;
  #message: string | null = null;
  #previewKey: string | null = null;
  readonly #eta = new Eta();
  /** The handler's own estimate and when it was given; undefined while it has given none, and ours counts. */
  #said: { readonly seconds: number | null; readonly atMs: number } | undefined;
  #isDirty = false;

  /** Something was said since `take`. */
  get isDirty(): boolean {
    return this.#isDirty;
  }

  /**
   * Takes an update; fields that it omits stay as they were. The same again is no news. Values of other
   * types than declared count as what they say, and where they say nothing as null.
   */
  note(update: ProgressUpdate, nowMs: number): void {
    const { percent, stage, message, etaSeconds, preview } = update;
    if (percent !== undefined) {
      const clamped = clamp(percent, 100);
      this.#eta.note(clamped, nowMs);
      this.#percent = this.#changed(this.#percent, clamped);
    }
    if (stage !== undefined) this.#stage = this.#changed(this.#stage, text(stage, 200));
    if (message !== undefined) this.#message = this.#changed(this.#message, text(message, 2_000));
    if (preview !== undefined) this.#previewKey = this.#changed(this.#previewKey, key(preview));
    if (etaSeconds !== undefined) {
      const seconds = clamp(etaSeconds, MAX_ETA_SECONDS);
      if (seconds !== (this.#said?.seconds ?? null)) this.#isDirty = true;
      this.#said = { seconds, atMs: nowMs };
    }
  }

  /** As it is to be written now. */
  take(nowMs: number): Progress {
    this.#isDirty = false;
    return {
      percent: this.#percent,
      stage: this.#stage,
      message: this.#message,
      etaSeconds: this.#etaSeconds(nowMs),
      previewKey: this.#previewKey,
    };
  }

  #etaSeconds(nowMs: number): number | null {
    if (this.#said === undefined) {
      const seconds = this.#eta.seconds(nowMs);
      return seconds === null ? null : Math.min(MAX_ETA_SECONDS, seconds);
    }
    const { seconds, atMs } = this.#said;
    return seconds === null ? null : Math.max(0, seconds - (nowMs - atMs) / 1000);
  }

  #changed<T>(before: T, now: T): T {
    if (before !== now) this.#isDirty = true;
    return now;
  }
}

function clamp(value: unknown, max: number): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number !== 'number' || Number.isNaN(number) ? null : Math.min(max, Math.max(0, number));
}

function text(value: unknown, maxLength: number): string | null {
  return value === null ? null : cleanText(boundText(redactText(textOf(value)), maxLength));
}

/** A key that is none is no preview; a handler does not fail over a picture. */
function key(value: unknown): string | null {
  return typeof value !== 'string' || value === '' || value.length > MAX_KEY_LENGTH ? null : cleanText(value);
}
