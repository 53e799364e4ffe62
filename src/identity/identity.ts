import type { Actor, Role } from '../core/actor.ts';

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
}

/** Who asks, and what is needed to look again later whether they still may. */
export interface Identity {
  readonly actor: Actor;
  readonly credential: Credential;
}
