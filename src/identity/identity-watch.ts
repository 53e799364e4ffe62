import { setImmediate as nextTurn } from 'node:timers/promises';
import { DomainError, toError } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';
import { IDENTITY_CHANNEL } from '../db/channels.ts';
import type { Listener } from '../db/listener.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Authenticator } from './authenticator.ts';
import type { Identity } from './identity.ts';
import { RecheckQueue } from './recheck-queue.ts';
import { type UnauthenticatedReason, unauthenticated } from './unauthenticated.ts';
import { WatchedCredential, type WatchedIdentity, Watcher } from './watched-credential.ts';

export type { WatchedIdentity } from './watched-credential.ts';

/**
 * How often all open streams are looked at again, with or without a notification: a revoked one ends within
 * two of these.
 */
const RECHECK_MS = 1_000;
/**
 * Ends that are this close are met together, so that many ends in one second do not search all credentials
 * each.
 */
const EXPIRY_STEP_MS = 50;
/** The wall clock may be set meanwhile, which no timer notices. */
const MAX_EXPIRY_WAIT_MS = 60_000;
/** So long may ending many streams keep everybody else waiting. */
const SLICE_MS = 10;

export interface IdentityWatchOptions {
  /** How often all are looked at again, with or without a notification; 1,000 by default. */
  readonly recheckMs?: number | undefined;
  /** Called for each socket and stream that is ended, to count them. */
  readonly onEnded?: () => void;
}

/**
 * Ends long-lived streams whose credential ends: to the moment when it expires, at once when it is revoked or
 * its person's membership changes and the notification arrives, and within 2 s without it. What is known of a
 * credential is kept and looked at once, however many sockets came with it.
 */
export class IdentityWatch {
  readonly #authenticator: Authenticator;
  readonly #log: Logger;
  readonly #credentials = new Map<string, WatchedCredential>();
  readonly #queue: RecheckQueue;
  readonly #unlisten: readonly (() => void)[];
  readonly #endedCounts = new Map<UnauthenticatedReason, number>();
  readonly #recheckMs: number;
  readonly #onEnded: () => void;
  #recheckTimer: NodeJS.Timeout | undefined;
  #expiryTimer: NodeJS.Timeout | undefined;
  #expiryAtMs = Number.POSITIVE_INFINITY;

  constructor(
    authenticator: Authenticator,
    listener: Pick<Listener, 'on' | 'onConnect'>,
    log: Logger,
    { recheckMs = RECHECK_MS, onEnded = () => undefined }: IdentityWatchOptions = {},
  ) {
    this.#authenticator = authenticator;
    this.#recheckMs = recheckMs;
    this.#onEnded = onEnded;
    this.#log = log;
    this.#queue = new RecheckQueue(this.#credentials, (credentials) => this.#recheck(credentials));
    this.#unlisten = [
      listener.on(IDENTITY_CHANNEL, (tenantId) => {
        if (tenantId !== '' && !isUuid(tenantId)) return;
        authenticator.forget();
        if (tenantId === '') this.#queue.addAll();
        else this.#queue.addTenant(tenantId);
      }),
      listener.onConnect(() => {
        authenticator.forget();
        this.#queue.addAll();
      }),
    ];
  }

  /**
   * Watches an identity until `unwatch`; `end` is called at most once.
   * A role that only became lower does not end anything: `current` gives it to the next event's or
   * operation's checks.
   * @param changed called when role, scopes or end have changed and the credential goes on
   */
  watch(
    identity: Identity,
    end: (why: DomainError) => void,
    changed?: (now: Identity) => void,
  ): WatchedIdentity {
    let credential = this.#credentials.get(identity.key);
    if (credential === undefined) {
      credential = new WatchedCredential(identity, this.#forget);
      this.#credentials.set(identity.key, credential);
      this.#armExpiry(credential.endsAtMs);
    }
    this.#recheckTimer ??= setInterval(() => this.#queue.addAll(), this.#recheckMs).unref();
    return new Watcher(credential, end, changed);
  }

  /** Forgets everything; calls no `end`. */
  stop(): void {
    for (const unlisten of this.#unlisten) unlisten();
    for (const credential of this.#credentials.values()) credential.watchers.clear();
    this.#credentials.clear();
    this.#disarm();
  }

  /** Different credentials that somebody watches. */
  get credentialCount(): number {
    return this.#credentials.size;
  }

  /** Sockets and streams that were ended, by why, since the start. */
  get endedCounts(): ReadonlyMap<UnauthenticatedReason, number> {
    return this.#endedCounts;
  }

  async #recheck(credentials: readonly WatchedCredential[]): Promise<void> {
    try {
      const now = await this.#authenticator.recheck(credentials.map(({ identity }) => identity));
      const slice = new Slice();
      for (const [index, credential] of credentials.entries()) {
        const result = now[index] as Identity | DomainError;
        if (result instanceof DomainError) await this.#end(credential, result, slice);
        else if (result !== credential.identity) this.#change(credential, result);
      }
    } catch (error) {
      // The database is away: nobody is thrown out for that, and nothing new is read meanwhile either.
      this.#log.debug({ err: toError(error) }, 'identity: could not look at open streams again');
    }
  }

  #change(credential: WatchedCredential, identity: Identity): void {
    credential.identity = identity;
    this.#armExpiry(credential.endsAtMs);
    for (const { changed } of [...credential.watchers]) this.#guarded(() => changed?.(identity));
  }

  #armExpiry(endsAtMs: number): void {
    if (endsAtMs >= this.#expiryAtMs) return;
    clearTimeout(this.#expiryTimer);
    this.#expiryAtMs = endsAtMs;
    // A timer may be a millisecond early by the wall clock.
    const leftMs = Math.max(0, endsAtMs - Date.now()) + 1;
    this.#expiryTimer = setTimeout(() => void this.#expire(), Math.min(leftMs, MAX_EXPIRY_WAIT_MS)).unref();
  }

  async #expire(): Promise<void> {
    const nowMs = Date.now();
    const ended: WatchedCredential[] = [];
    let nextMs = Number.POSITIVE_INFINITY;
    for (const credential of this.#credentials.values()) {
      if (credential.endsAtMs <= nowMs) ended.push(credential);
      else nextMs = Math.min(nextMs, credential.endsAtMs);
    }
    this.#expiryAtMs = Number.POSITIVE_INFINITY;
    if (nextMs < Number.POSITIVE_INFINITY) this.#armExpiry(Math.max(nextMs, nowMs + EXPIRY_STEP_MS));
    const slice = new Slice();
    for (const credential of ended) {
      await this.#end(credential, unauthenticated('expired', 'Token has expired'), slice);
    }
  }

  async #end(credential: WatchedCredential, why: DomainError, slice: Slice): Promise<void> {
    // Who comes with it from now on is judged again.
    if (this.#credentials.get(credential.identity.key) === credential) this.#forget(credential);
    const reason = why.details['reason'] as UnauthenticatedReason;
    for (const watcher of credential.watchers) {
      credential.watchers.delete(watcher);
      this.#endedCounts.set(reason, (this.#endedCounts.get(reason) ?? 0) + 1);
      this.#onEnded();
      this.#guarded(() => watcher.end(why));
      if (slice.isOver) await slice.next();
    }
  }

  readonly #forget = (credential: WatchedCredential): void => {
    const { key } = credential.identity;
    if (this.#credentials.get(key) === credential) this.#credentials.delete(key);
    if (this.#credentials.size === 0) this.#disarm();
  };

  #disarm(): void {
    clearInterval(this.#recheckTimer);
    clearTimeout(this.#expiryTimer);
    this.#recheckTimer = undefined;
    this.#expiryAtMs = Number.POSITIVE_INFINITY;
  }

  /** One stream's mistake must not keep the others open. */
  #guarded(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#log.error({ err: toError(error) }, 'identity: a stream could not be ended');
    }
  }
}

/** A stretch of work after which the event loop has its turn. */
class Slice {
  #untilMs = performance.now() + SLICE_MS;

  get isOver(): boolean {
    return performance.now() > this.#untilMs;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#untilMs = performance.now() + SLICE_MS;
  }
}
