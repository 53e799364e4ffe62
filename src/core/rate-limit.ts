/** So much a second over time; `burst` at once after a rest. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Why something has to wait. */
export interface RateRefusal {
  /** How much is spoken for, with what was asked; more than `rate.burst`. */
  readonly actual: number;
  readonly retryAfterMs: number;
}

const MAX_REMEMBERED = 10_000;

/**
 * Token buckets by name, in this process's memory. Of each only one number is kept: when it will be full
 * again. One that is full is forgotten, so that names which come once do not stay.
 */
export class RateLimit {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #fullAtMs = new Map<string, number>();

  /** @param now milliseconds of a clock that never goes back */
  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#now = now;
  }

  get rate(): Rate {
    return this.#rate;
  }

  /**
   * Whether `amount` may be taken now; takes nothing. More than a full bucket holds is asked as a full
   * bucket.
   */
  refusal(name: string, amount: number): RateRefusal | null {
    const { perSecond, burst } = this.#rate;
    const spoken = this.#spoken(name) + Math.min(amount, burst);
    if (spoken <= burst) return null;
    return { actual: Math.ceil(spoken), retryAfterMs: Math.ceil(((spoken - burst) / perSecond) * 1000) };
  }

  /** What may be taken at once now, and when the bucket is full again if nothing more is taken. */
  left(name: string): { readonly remaining: number; readonly fullInMs: number } {
    const { perSecond, burst } = this.#rate;
    const spoken = this.#spoken(name);
    return {
      remaining: Math.max(0, Math.floor(burst - spoken)),
      fullInMs: Math.ceil((spoken / perSecond) * 1000),
    };
  }

  /** Takes it, whether it is there or not; a bucket is never emptier than empty. */
  take(name: string, amount: number): void {
    const { perSecond, burst } = this.#rate;
    const spoken = Math.min(burst, this.#spoken(name) + amount);
    this.#fullAtMs.delete(name);
    this.#fullAtMs.set(name, this.#now() + (spoken / perSecond) * 1000);
    if (this.#fullAtMs.size > MAX_REMEMBERED) this.#forget();
  }

  /** What has been taken and not come back. */
  #spoken(name: string): number {
    const fullAtMs = this.#fullAtMs.get(name) ?? 0;
    return (Math.max(0, fullAtMs - this.#now()) / 1000) * this.#rate.perSecond;
  }

  #forget(): void {
    const now = this.#now();
    for (const [name, fullAtMs] of this.#fullAtMs) if (fullAtMs <= now) this.#fullAtMs.delete(name);
    // All are in use: the one that was asked least recently starts again, which errs to its side.
    for (const name of this.#fullAtMs.keys()) {
      if (this.#fullAtMs.size <= MAX_REMEMBERED) break;
      this.#fullAtMs.delete(name);
    }
  }
}
