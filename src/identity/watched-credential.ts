import type { DomainError } from '../core/errors.ts';
import type { Identity } from './identity.ts';
import { ownTenantId } from './standing.ts';

/** An identity that is looked at again and again. */
export interface WatchedIdentity {
  /** As it stands now: its role may have become lower since. */
  readonly current: () => Identity;
  readonly unwatch: () => void;
}

/** One who watches: two of these a socket, so they hold no closure and no timer of their own. */
export class Watcher implements WatchedIdentity {
  readonly #credential: WatchedCredential;
  /** Called at most once, and not after `unwatch`. */
  readonly end: (why: DomainError) => void;
  readonly changed: ((now: Identity) => void) | undefined;

  constructor(
    credential: WatchedCredential,
    end: (why: DomainError) => void,
    changed?: (now: Identity) => void,
  ) {
    this.#credential = credential;
    this.end = end;
    this.changed = changed;
    credential.watchers.add(this);
  }

  current(): Identity {
    return this.#credential.identity;
  }

  unwatch(): void {
    const { watchers, forget } = this.#credential;
    if (watchers.delete(this) && watchers.size === 0) forget(this.#credential);
  }
}

/** What all who came with the same credential share. */
export class WatchedCredential {
  identity: Identity;
  readonly watchers = new Set<Watcher>();
  /** Called when nobody watches it any more. */
  readonly forget: (credential: WatchedCredential) => void;

  constructor(identity: Identity, forget: (credential: WatchedCredential) => void) {
    this.identity = identity;
    this.forget = forget;
  }

  /** Infinity for one without an end. */
  get endsAtMs(): number {
    return this.identity.actor.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  }

  /** True when a change of rows of one of these tenants may be a change for this one. */
  isOfAny(tenantIds: ReadonlySet<string>): boolean {
    const { actor, credential } = this.identity;
    return tenantIds.has(ownTenantId(credential)) || tenantIds.has(actor.tenantId);
  }
}
