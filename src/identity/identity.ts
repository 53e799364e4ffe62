import type { Actor, Role } from '../core/actor.ts';
import type { ReachKind } from '../core/reach.ts';
import type { Scope } from '../core/scopes.ts';

/** A credential whose signature or hash has been checked, before the database was asked how it stands. */
export interface Credential {
  /** Null only for a super admin's token that names no tenant. */
  readonly tenantId: string | null;
  readonly role: Role;
  /** `sub` of a token; null for an API key. */
  readonly subject: string | null;
  /** `jti` of a token or the API key's id. */
  readonly credentialId: string | null;
  /** When it was issued; null when the token does not say, which any revocation then covers. */
  readonly issuedAt: Date | null;
  readonly expiresAt: Date | null;
  /** What an API key is narrowed to; null for all of its role, as with every token. */
  readonly scopes: readonly Scope[] | null;
  /** It takes no operation but registered ones, by their ids. */
  readonly persistedOnly: boolean;
  /** The job types that a worker's key may claim; absent for all. */
  readonly jobTypes?: readonly string[];
  /** What an access token was given. All fields above are its minter's then, and it ends with the minter. */
  readonly grant?: AccessGrant;
}

/** What the minter of an access token gave it, below what they may themselves. */
export interface AccessGrant {
  /** Its own `jti`. */
  readonly id: string;
  /** The tenant that its minter acted on; no other can be acted on with it. */
  readonly tenantId: string;
  /** Whom it speaks for; null: its minter. */
  readonly subject: string | null;
  readonly kind: ReachKind;
  /** The job's or the video's UUID; null for the other kinds. */
  readonly targetId: string | null;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** The caller, and what is needed to look again later whether they still may. */
export interface Identity {
  readonly actor: Actor;
  readonly credential: Credential;
  /** Only registered operations are run for it, by their ids. */
  readonly persistedOnly: boolean;
  /**
   * Equal for those who presented the same credential for the same tenant: what is known of it is kept once.
   */
  readonly key: string;
}
