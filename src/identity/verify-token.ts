import {
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import type { Config } from '../config/config.ts';
import { DomainError, toError } from '../core/errors.ts';
import { textProblem } from '../core/text-problem.ts';
import { claimAt, roleOf, tenantOf } from './claims.ts';
import type { Credential } from './identity.ts';
import { unauthenticated } from './unauthenticated.ts';

export type TokenConfig = Pick<
  Config,
  | 'jwtSecret'
  | 'jwksUrl'
  | 'jwtIssuer'
  | 'jwtAudience'
  | 'jwtTenantClaim'
  | 'jwtRoleClaim'
  | 'jwtClockToleranceSeconds'
>;

/** Checks a JWT's signature, times, issuer and audience and reads who it speaks for. */
export type TokenVerifier = (token: string) => Promise<Credential>;

/**
 * Public-key algorithms that a JWKS may use. `none` and HS256 with a public key as its secret are not among
 * them.
 */
const JWKS_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
];

const JWKS_UNAVAILABLE = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC']);

/**
 * Makes the verifier of JWTs: HS256 by the shared secret, other algorithms by the JWKS.
 * The verifier throws DomainError `Unauthenticated` with the reason in words.
 */
export function createTokenVerifier(config: TokenConfig): TokenVerifier {
  const secret = config.jwtSecret === null ? null : new TextEncoder().encode(config.jwtSecret);
  const jwks =
    config.jwksUrl === null ? null : createRemoteJWKSet(new URL(config.jwksUrl), { timeoutDuration: 5_000 });
  const options: JWTVerifyOptions = {
    // Applies to `nbf`: `iat` is compared with the database's clock, and `exp` has no tolerance
    // (`identityOf`).
    clockTolerance: config.jwtClockToleranceSeconds,
    ...(config.jwtIssuer !== null && { issuer: config.jwtIssuer }),
    ...(config.jwtAudience !== null && { audience: config.jwtAudience }),
  };

  const verify = async (token: string): Promise<JWTPayload> => {
    const alg = algorithmOf(token);
    if (secret !== null && alg === 'HS256')
      return (await jwtVerify(token, secret, { ...options, algorithms: ['HS256'] })).payload;
    if (jwks !== null && alg !== undefined && JWKS_ALGORITHMS.includes(alg))
      return (await jwtVerify(token, jwks, { ...options, algorithms: JWKS_ALGORITHMS })).payload;
    const allowed = [secret === null ? [] : 'HS256', jwks === null ? [] : JWKS_ALGORITHMS].flat().join(', ');
    throw unauthenticated(
      'invalid',
      `Token algorithm ${JSON.stringify(alg)}; allowed: ${allowed || 'none'}`,
      allowed,
    );
  };

  return async (token) => {
    try {
      return credentialOf(await verify(token), config);
    } catch (error) {
      throw error instanceof DomainError ? error : refusal(toError(error));
    }
  };
}

function algorithmOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).alg;
  } catch (error) {
    throw unauthenticated(
      'invalid',
      'Token is neither a JWT nor an API key of Millrace',
      'a JWT or an API key',
      error,
    );
  }
}

function credentialOf(claims: JWTPayload, config: TokenConfig): Credential {
  if (claims.sub === undefined || !isName(claims.sub))
    throw unauthenticated('invalid', 'Token has no `sub` of 1 to 255 characters', 'a `sub` claim');
  if (claims.jti !== undefined && !isName(claims.jti))
    throw unauthenticated(
      'invalid',
      'Token has a `jti` that is not 1 to 255 characters',
      'a short `jti` or none',
    );
  const role = roleOf(claimAt(claims, config.jwtRoleClaim), config.jwtRoleClaim);
  return {
    tenantId: tenantOf(claimAt(claims, config.jwtTenantClaim), config.jwtTenantClaim, role),
    role,
    subject: claims.sub,
    credentialId: claims.jti ?? null,
    issuedAt: timeOf('iat', claims.iat),
    expiresAt: timeOf('exp', claims.exp),
    scopes: null,
    persistedOnly: flagOf('persisted_only', claims['persisted_only']),
  };
}

/** Text that the database can compare with its own. */
function isName(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && textProblem(value, 255) === null;
}

/**
 * A time beyond what a Date holds compares false with every other: it would never end and never be revoked.
 */
function timeOf(claim: string, seconds: number | undefined): Date | null {
  if (seconds === undefined) return null;
  const time = new Date(seconds * 1000);
  if (!Number.isNaN(time.getTime())) return time;
  throw unauthenticated('invalid', `Token claim ${claim} is ${seconds}`, 'seconds since 1970');
}

/** A restriction that is misspelt must not be taken for none. */
function flagOf(claim: string, value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean') return value === true;
  throw unauthenticated(
    'invalid',
    `Token claim ${claim} is ${JSON.stringify(value).slice(0, 100)}; allowed: true, false`,
    'true or false',
  );
}

/**
 * jose's errors in words; what it says of a signature is no help to a client, and must be none to an
 * attacker.
 */
function refusal(error: Error): DomainError {
  if (error instanceof errors.JWTExpired)
    return unauthenticated('expired', 'Token has expired', undefined, error);
  if (error instanceof errors.JWTClaimValidationFailed)
    return unauthenticated('invalid', `Token claim ${error.claim} is not accepted`, undefined, error);
  // The JWKS could not be had: not the client's fault, so it must not look like one.
  if (!(error instanceof errors.JOSEError) || JWKS_UNAVAILABLE.has(error.code)) throw error;
  return unauthenticated('invalid', 'Token is malformed or its signature does not match', undefined, error);
}
