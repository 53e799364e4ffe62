import { DomainError } from '../core/errors.ts';
import { RateLimit } from '../core/rate-limit.ts';

/** Look-ups of credentials that nobody has shown before, at a time: members' reads share the connections. */
const MAX_LOOKUPS = 4;
/** Those that wait for one; more would wait longer than their clients do. */
const MAX_WAITING = 200;

export interface StrangerLimitSettings {
  /** Refused credentials of one address; 0 for no limit. */
  readonly addressFailuresPerSecond: number;
  readonly rateBurstSeconds: number;
}

/**
 * What credentials that are not known to be good may cost: each address may be wrong so often, and few are
 * looked up at a time. Good ones that were recognised lately do not come here, whatever others of their
 * address do.
 */
export class StrangerLimit {
  readonly #failures: RateLimit | null;
  readonly #waiting: (() => void)[] = [];
  #lookupCount = 0;

  constructor({ addressFailuresPerSecond: perSecond, rateBurstSeconds }: StrangerLimitSettings) {
    this.#failures =
      perSecond === 0 ? null : new RateLimit({ perSecond, burst: perSecond * rateBurstSeconds });
  }

  /** @throws DomainError `RateLimited` where the address has been wrong too often */
  admit(address: string | null): void {
    const refused = address === null ? null : (this.#failures?.refusal(address, 1) ?? null);
    if (refused !== null)
      throw rateLimited('Too many refused credentials came from this address', refused.retryAfterMs);
  }

  failed(address: string | null): void {
    if (address !== null) this.#failures?.take(address, 1);
  }

  /** Runs a look-up when it is its turn. @throws DomainError `RateLimited` where too many wait */
  async lookUp<T>(work: () => Promise<T>): Promise<T> {
    if (this.#lookupCount >= MAX_LOOKUPS) {
      if (this.#waiting.length >= MAX_WAITING)
        throw rateLimited('Too many credentials that are not known wait to be looked up', 1_000);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#lookupCount++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The place goes on to who has waited longest.
      if (next === undefined) this.#lookupCount--;
      else next();
    }
  }
}

function rateLimited(problem: string, retryAfterMs: number): DomainError {
  return new DomainError('RateLimited', `${problem}; try again in ${retryAfterMs} ms.`, { retryAfterMs });
}
