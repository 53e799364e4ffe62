import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { EncryptJWT, errors, type JWTPayload, jwtDecrypt } from 'jose';
import type { Role } from '../core/actor.ts';
import type { ReachKind } from '../core/reach.ts';
import type { AccessGrant, Credential } from './identity.ts';
import { unauthenticated } from './unauthenticated.ts';

const PREFIX = 'mra_';
const ALGORITHMS = { alg: 'dir', enc: 'A256CBC-HS512' } as const;
const ID_PATTERN = /^at-([A-Za-z0-9_-]{22})([A-Za-z0-9_-]{22})$/;

/** What is sealed in a token: the minter's credential, and what it was given below that. */
interface Sealed extends JWTPayload {
  readonly by: Pick<Credential, 'tenantId' | 'role' | 'subject' | 'credentialId' | 'persistedOnly'> & {
    readonly issuedAtMs: number | null;
    readonly expiresAtMs: number | null;
  };
  readonly kind: ReachKind;
  readonly targetId: string | null;
  readonly subject: string | null;
  readonly tenantId: string;
}

/** True for text that has the form of an access token. */
export function isAccessToken(text: string): boolean {
  return text.startsWith(PREFIX);
}

/**
 * Makes and opens access tokens: encrypted JWTs under a key of their own, so that browsers hold nothing that
 * can be read or be taken for another kind of token. No row is kept of them.
 */
export class AccessTokens {
  readonly #key: Uint8Array;
  readonly #idKey: Uint8Array;

  /** @param secret `MILLRACE_SIGNING_SECRET`; with another one all tokens made with this one have ended */
  constructor(secret: string) {
    this.#key = derived(secret, 'millrace access tokens', 64);
    this.#idKey = derived(secret, 'millrace access token ids', 32);
  }

  async seal(by: Credential, grant: AccessGrant): Promise<string> {
    const { tenantId, role, subject, credentialId, persistedOnly } = by;
    const issuedAtMs = by.issuedAt?.getTime() ?? null;
    const expiresAtMs = by.expiresAt?.getTime() ?? null;
    const sealed: Sealed = {
      by: { tenantId, role, subject, credentialId, persistedOnly, issuedAtMs, expiresAtMs },
      kind: grant.kind,
      targetId: grant.targetId,
      subject: grant.subject,
      tenantId: grant.tenantId,
    };
    const token = await new EncryptJWT(sealed)
      .setProtectedHeader(ALGORITHMS)
      .setJti(grant.id)
      .setIssuedAt(grant.issuedAt)
      .setExpirationTime(grant.expiresAt)
      .encrypt(this.#key);
    return PREFIX + token;
  }

  /** @throws DomainError `Unauthenticated` for what was not made here, or has expired */
  async open(token: string): Promise<Credential> {
    const { by, jti, iat, exp, kind, targetId, subject, tenantId } = await this.#decrypt(token);
    return {
      tenantId: by.tenantId,
      role: by.role as Role,
      subject: by.subject,
      credentialId: by.credentialId,
      issuedAt: by.issuedAtMs === null ? null : new Date(by.issuedAtMs),
      expiresAt: by.expiresAtMs === null ? null : new Date(by.expiresAtMs),
      scopes: null,
      persistedOnly: by.persistedOnly,
      grant: {
        id: jti as string,
        tenantId,
        subject,
        kind,
        targetId,
        issuedAt: new Date((iat as number) * 1_000),
        expiresAt: new Date((exp as number) * 1_000),
      },
    };
  }

  /** A new id, by which its minter can be recognised. */
  newId(tenantId: string, minter: string): string {
    const nonce = randomBytes(16);
    return `at-${nonce.toString('base64url')}${this.#tag(nonce, tenantId, minter).toString('base64url')}`;
  }

  /** Whether a text has the form of an id. */
  isId(text: string): boolean {
    return ID_PATTERN.test(text);
  }

  /** Whether an id is of a token that `minter` made in that tenant. */
  isIdOf(id: string, tenantId: string, minter: string): boolean {
    const [, nonce, tag] = ID_PATTERN.exec(id) ?? [];
    if (nonce === undefined || tag === undefined) return false;
    const expected = this.#tag(Buffer.from(nonce, 'base64url'), tenantId, minter);
    return timingSafeEqual(expected, Buffer.from(tag, 'base64url'));
  }

  async #decrypt(token: string): Promise<Sealed> {
    try {
      const { payload } = await jwtDecrypt<Sealed>(token.slice(PREFIX.length), this.#key, {
        keyManagementAlgorithms: [ALGORITHMS.alg],
        contentEncryptionAlgorithms: [ALGORITHMS.enc],
        requiredClaims: ['jti', 'iat', 'exp'],
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired)
        throw unauthenticated('expired', 'Token has expired', undefined, error);
      throw unauthenticated('invalid', 'There is no such access token', undefined, error);
    }
  }

  #tag(nonce: Uint8Array, tenantId: string, minter: string): Buffer {
    const mac = createHmac('sha256', this.#idKey)
      .update(nonce)
      .update(JSON.stringify([tenantId, minter]));
    return mac.digest().subarray(0, 16);
  }
}

function derived(secret: string, purpose: string, bytes: number): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, bytes));
}
