import { type Backoff, backoffMs } from './backoff.ts';
import type { MillraceError } from './error.ts';
import { onOnline } from './online.ts';

/**
 * Tokens that may be refused in a row: the first may have ended on its way, and the source may keep it a
 * little longer.
 */
const MAX_REFUSALS = 3;

/** When to try again, and whether at all. */
export class Retries {
  readonly #backoff: Backoff;
  readonly #hasFixedToken: boolean;
  #failures = 0;
  #refusals = 0;
  #forget: (() => void) | null = null;
  #go: (() => void) | null = null;

  constructor(backoff: Backoff, hasFixedToken: boolean) {
    this.#backoff = backoff;
    this.#hasFixedToken = hasFixedToken;
  }

  /** Something came: what fails from now on fails for the first time. */
  succeeded(): void {
    this.#failures = 0;
    this.#refusals = 0;
  }

  /** Whether another try makes sense after this. */
  allows({ recovery }: MillraceError): boolean {
    if (recovery === 'renew') return !this.#hasFixedToken && ++this.#refusals < MAX_REFUSALS;
    return recovery === 'retry';
  }

  /**
   * Calls `retry` after a wait, or at once when a network comes. @returns when, in milliseconds since 1970
   */
  schedule(retryAfterMs: number, retry: () => void): number {
    const waitMs = Math.max(retryAfterMs, backoffMs(this.#backoff, ++this.#failures));
    const go = (): void => {
      this.cancel();
      retry();
    };
    const timer = setTimeout(go, waitMs);
    const stopListening = onOnline(go);
    this.#go = go;
    this.#forget = () => {
      clearTimeout(timer);
      stopListening();
    };
    return Date.now() + waitMs;
  }

  /** Ends a wait. */
  now(): void {
    this.#go?.();
  }

  cancel(): void {
    this.#forget?.();
    this.#forget = null;
    this.#go = null;
  }
}
