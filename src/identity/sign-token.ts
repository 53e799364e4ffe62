import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Role } from '../core/actor.ts';
import { DomainError } from '../core/errors.ts';
import { setClaim } from './claims.ts';
import type { TokenConfig } from './verify-token.ts';

export interface TokenRequest {
  readonly subject: string;
  readonly tenantId: string;
  readonly role: Role;
  /** Null for a token without an end. */
  readonly ttlSeconds: number | null;
}

/**
 * Signs an HS256 token that `createTokenVerifier` with the same configuration accepts.
 * @throws DomainError `ConfigInvalid` without a shared secret
 */
export async function signToken(config: TokenConfig, request: TokenRequest): Promise<string> {
  if (config.jwtSecret === null) {
    throw new DomainError('ConfigInvalid', 'MILLRACE_JWT_SECRET is not set, so no token can be signed here', {
      field: 'MILLRACE_JWT_SECRET',
      allowed: 'at least 32 characters; or an API key (--api-key), or tokens of your own identity provider',
    });
  }
  const claims: Record<string, unknown> = {};
  setClaim(claims, config.jwtTenantClaim, request.tenantId);
  setClaim(claims, config.jwtRoleClaim, request.role);
  const token = new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(request.subject)
    .setIssuedAt()
    .setJti(randomUUID());
  if (config.jwtIssuer !== null) token.setIssuer(config.jwtIssuer);
  if (config.jwtAudience !== null) token.setAudience(config.jwtAudience);
  if (request.ttlSeconds !== null)
    token.setExpirationTime(Math.floor(Date.now() / 1000) + request.ttlSeconds);
  return token.sign(new TextEncoder().encode(config.jwtSecret));
}
