import { DomainError, toError } from '../core/errors.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Authenticator } from './authenticator.ts';
import type { Identity } from './identity.ts';
import { unauthenticated } from './unauthenticated.ts';

/** How often open streams are looked at again: a revoked one ends within two of these. */
const RECHECK_MS = 1_000;
/** setTimeout takes at most this. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** An identity that is looked at again and again. */
export interface WatchedIdentity {
  /** As it stands now: its role may have become lower since. */
  readonly current: () => Identity;
  readonly unwatch: () => void;
}

interface Watched {
  identity: Identity;
  readonly end: (why: DomainError) => void;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Ends long-lived streams whose credential ends: to the moment when it expires, within 2 s when it is revoked or its
 * person's membership changes. One statement a second looks at all of them, and none while there are none.
 */
export class IdentityWatch {
  readonly #authenticator: Authenticator;
  readonly #log: Logger;
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;
  #checking = false;

  constructor(authenticator: Authenticator, log: Logger) {
    this.#authenticator = authenticator;
    this.#log = log;
  }

  /**
   * Watches an identity until the returned function is called; `end` is called at most once.
   * A role that only became lower does not end anything: `current` gives it to the next event's or operation's checks.
   */
  watch(identity: Identity, end: (why: DomainError) => void): WatchedIdentity {
    const watched: Watched = { identity, end, timer: undefined };
    this.#watched.add(watched);
    this.#armExpiry(watched);
    this.#timer ??= setInterval(() => void this.#recheck(), RECHECK_MS).unref();
    return { current: () => watched.identity, unwatch: () => this.#forget(watched) };
  }

  /** Forgets everything; calls no `end`. */
  stop(): void {
    for (const watched of [...this.#watched]) this.#forget(watched);
  }

  #armExpiry(watched: Watched): void {
    const { expiresAt } = watched.identity.actor;
    if (expiresAt === null) return;
    const leftMs = Math.max(0, expiresAt.getTime() - Date.now());
    watched.timer = setTimeout(
      () => {
        if (leftMs > MAX_TIMER_MS) this.#armExpiry(watched);
        else this.#end(watched, unauthenticated('expired', 'Token has expired'));
      },
      Math.min(leftMs, MAX_TIMER_MS),
    );
    watched.timer.unref();
  }

  async #recheck(): Promise<void> {
    // While the database is slow or away, one look is enough.
    if (this.#checking) return;
    this.#checking = true;
    const all = [...this.#watched];
    try {
      const now = await this.#authenticator.recheck(all.map(({ identity }) => identity));
      now.forEach((result, index) => {
        const watched = all[index] as Watched;
        if (result instanceof DomainError) this.#end(watched, result);
        else watched.identity = result;
      });
    } catch (error) {
      // The database is away: nobody is thrown out for that, and nothing new is read meanwhile either.
      this.#log.debug({ err: toError(error) }, 'identity: could not look at open streams again');
    } finally {
      this.#checking = false;
    }
  }

  #end(watched: Watched, why: DomainError): void {
    if (!this.#watched.has(watched)) return;
    this.#forget(watched);
    watched.end(why);
  }

  #forget(watched: Watched): void {
    clearTimeout(watched.timer);
    this.#watched.delete(watched);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
