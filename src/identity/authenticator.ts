import { createHash } from 'node:crypto';
import { BoundedMap } from '../core/bounded-map.ts';
import { DomainError } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';
import { scopesAmong } from '../core/scopes.ts';
import type { Database } from '../db/database.ts';
import { type ApiKeyRow, findApiKey } from '../db/sql/identity/find-api-key.ts';
import { readStandings, type StandingRow } from '../db/sql/identity/read-standings.ts';
import { type AccessTokens, isAccessToken } from './access-token.ts';
import { hashApiKey, isApiKey } from './api-key.ts';
import { roleOf } from './claims.ts';
import { granted } from './granted.ts';
import type { Credential, Identity } from './identity.ts';
import type { KeyUses } from './key-uses.ts';
import { identityOf, ownTenantId } from './standing.ts';
import { StrangerLimit, type StrangerLimitSettings } from './stranger-limit.ts';
import { unauthenticated } from './unauthenticated.ts';
import { createTokenVerifier, type TokenConfig, type TokenVerifier } from './verify-token.ts';

/** What came with a request or a socket. */
export interface PresentedCredential {
  /** A JWT or an API key, without `Bearer `. */
  readonly token: string | null;
  /** The tenant to act on, where a super admin names another than the token's. */
  readonly tenantId: string | null;
  /** Where it comes from; null where that is of no matter. */
  readonly address?: string | null;
}

/**
 * How long a checked credential is taken as checked: bounds how late a revocation is seen, and the lookups a
 * second.
 */
const CACHE_MS = 1_000;
const MAX_CACHED = 10_000;
/**
 * How long what is wrong stays wrong without being looked at again, unless somebody's right to come in
 * changes.
 */
const REFUSED_MS = 5_000;
/** How long a credential that was good is not a stranger's. */
const KNOWN_MS = 600_000;

export interface AuthenticateOptions {
  /** Whether an access token will do. Only where its reach is asked for; nowhere unless said so. */
  readonly takesAccessTokens?: boolean;
}

/** Recognises callers by JWT, API key or access token. */
export class Authenticator {
  readonly #db: Database;
  readonly #verifyToken: TokenVerifier;
  readonly #clockToleranceSeconds: number;
  readonly #accessTokens: AccessTokens | null;
  readonly #cache = new BoundedMap<
    string,
    { readonly identity: Promise<Identity>; readonly untilMs: number }
  >(MAX_CACHED);
  readonly #refused = new BoundedMap<string, { readonly why: DomainError; readonly untilMs: number }>(
    MAX_CACHED,
  );
  /** Until when each is known, by the hash of what was presented. */
  readonly #known = new BoundedMap<string, number>(MAX_CACHED);
  readonly #strangers: StrangerLimit;
  readonly #keyUses: Pick<KeyUses, 'note'> | null;

  /**
   * @param accessTokens what opens access tokens; null: none is good
   * @param keyUses hears of each credential that came in
   */
  constructor(
    db: Database,
    config: TokenConfig & Partial<StrangerLimitSettings>,
    accessTokens: AccessTokens | null = null,
    keyUses: Pick<KeyUses, 'note'> | null = null,
  ) {
    this.#db = db;
    this.#accessTokens = accessTokens;
    this.#keyUses = keyUses;
    const { addressFailuresPerSecond = 0, rateBurstSeconds = 1 } = config;
    this.#strangers = new StrangerLimit({ addressFailuresPerSecond, rateBurstSeconds });
    this.#verifyToken = createTokenVerifier(config);
    this.#clockToleranceSeconds = config.jwtClockToleranceSeconds;
  }

  /**
   * @throws DomainError `Unauthenticated` (`details.reason` says why), `Forbidden` for another tenant's id or
   *   an access token where none is taken, `RateLimited` where the address has been wrong too often
   */
  async authenticate(
    credential: PresentedCredential,
    { takesAccessTokens = false }: AuthenticateOptions = {},
  ): Promise<Identity> {
    const identity = await this.#recognise(credential);
    this.#keyUses?.note(identity);
    if (identity.actor.reach === undefined || takesAccessTokens) return identity;
    throw new DomainError('Forbidden', 'An access token is not taken here', {
      allowed: 'a JWT or an API key; access tokens are for GraphQL',
    });
  }

  async #recognise(credential: PresentedCredential): Promise<Identity> {
    const { token, tenantId, address = null } = credential;
    if (token === null || token === '') {
      throw unauthenticated('missing', 'No token was sent', 'Authorization: Bearer <JWT or API key>');
    }
    if (token.length > 8192) throw unauthenticated('invalid', 'Token is longer than 8192 characters');
    // Keyed by a hash, so that the process keeps no token.
    const key = createHash('sha256')
      .update(token)
      .update('\0')
      .update(tenantId ?? '')
      .digest('base64');
    const cached = this.#cache.get(key);
    if (cached !== undefined && cached.untilMs > performance.now()) {
      const identity = await cached.identity;
      const { expiresAt } = identity.actor;
      if (expiresAt === null || expiresAt.getTime() > Date.now()) return identity;
    }
    if ((this.#known.get(key) ?? 0) > performance.now())
      return this.#remember(key, this.#look(token, tenantId, key));
    const refused = this.#refused.get(key);
    if (refused !== undefined && refused.untilMs > performance.now()) throw refused.why;
    this.#strangers.admit(address);
    try {
      return await this.#remember(
        key,
        this.#strangers.lookUp(() => this.#look(token, tenantId, key)),
      );
    } catch (error) {
      if (error instanceof DomainError && error.code === 'Unauthenticated')
        this.#noteRefusal(key, address, error);
      throw error;
    }
  }

  /**
   * Forgets what was checked: somebody's right to come in has changed. What is being looked up is not
   * remembered either.
   */
  forget(): void {
    this.#cache.clear();
    this.#refused.clear();
  }

  /**
   * Looks again at identities that were recognised before, in one statement; for streams that live long.
   * @returns for each, in order, the identity as it stands now, or the error that ends it; the same object
   *   where nothing changed
   */
  async recheck(identities: readonly Identity[]): Promise<readonly (Identity | DomainError)[]> {
    const rows = await this.#standings(
      identities.map(({ credential, actor }) => ({ credential, tenantId: actor.tenantId })),
    );
    return identities.map((before, index) => {
      const { credential, actor, key } = before;
      try {
        const now = this.#judge(credential, rows[index] as Standing, actor.tenantId, key);
        this.#keyUses?.note(now);
        return isSame(now, before) ? before : now;
      } catch (error) {
        if (error instanceof DomainError) return error;
        throw error;
      }
    });
  }

  async #look(token: string, tenantId: string | null, key: string): Promise<Identity> {
    const credential = await this.#credentialOf(token);
    const acting = { credential, tenantId: actingOn(credential, tenantId) };
    const [standing] = await this.#standings([acting]);
    return this.#judge(credential, standing as Standing, acting.tenantId, key);
  }

  #judge(credential: Credential, { own, ofGrant }: Standing, tenantId: string, key: string): Identity {
    const identity = identityOf(credential, own, tenantId, key, this.#clockToleranceSeconds);
    const { grant } = credential;
    if (grant === undefined) return identity;
    return granted(identity, grant, ofGrant as StandingRow, this.#clockToleranceSeconds);
  }

  #credentialOf(token: string): Promise<Credential> {
    if (isApiKey(token)) return this.#credentialOfKey(token);
    if (this.#accessTokens !== null && isAccessToken(token)) return this.#accessTokens.open(token);
    return this.#verifyToken(token);
  }

  async #credentialOfKey(key: string): Promise<Credential> {
    const { rows } = await this.#db.asWorker<ApiKeyRow>(findApiKey, [hashApiKey(key)]);
    const row = rows[0];
    if (row === undefined) throw unauthenticated('invalid', 'There is no such API key');
    return {
      tenantId: row.tenant_id,
      role: roleOf(row.role, 'role'),
      subject: null,
      credentialId: row.id,
      issuedAt: null,
      expiresAt: row.expires_at,
      scopes: scopesAmong(row.scopes),
      persistedOnly: row.persisted_only,
    };
  }

  async #standings(
    looked: readonly { readonly credential: Credential; readonly tenantId: string }[],
  ): Promise<readonly Standing[]> {
    const looks = looked.flatMap(({ credential, tenantId }) => looksOf(credential, tenantId));
    const { rows } = await this.#db.asWorker<StandingRow>(readStandings, [
      looks.map(({ ownTenant }) => ownTenant),
      looks.map(({ subject }) => subject),
      looks.map(({ credentialId }) => credentialId),
      looks.map(({ keyId }) => keyId),
      looks.map(({ actingOn: acting }) => acting),
    ]);
    let at = 0;
    return looked.map(({ credential }) => ({
      own: rows[at++] as StandingRow,
      ofGrant: credential.grant === undefined ? null : (rows[at++] as StandingRow),
    }));
  }

  #noteRefusal(key: string, address: string | null, why: DomainError): void {
    this.#strangers.failed(address);
    // What else is wrong may be repaired: somebody becomes a member, a tenant comes back.
    if (why.details['reason'] !== 'invalid') return;
    this.#refused.set(key, { why, untilMs: performance.now() + REFUSED_MS });
  }

  #remember(key: string, identity: Promise<Identity>): Promise<Identity> {
    const entry = { identity, untilMs: performance.now() + CACHE_MS };
    this.#cache.set(key, entry);
    identity.then(
      () => {
        this.#known.set(key, performance.now() + KNOWN_MS);
      },
      () => {
        this.#known.delete(key);
        if (this.#cache.get(key) === entry) this.#cache.delete(key);
      },
    );
    return identity;
  }
}

/** What the database knows of a credential and, of an access token, of itself beside its minter. */
interface Standing {
  readonly own: StandingRow;
  readonly ofGrant: StandingRow | null;
}

interface Look {
  readonly ownTenant: string;
  readonly subject: string | null;
  readonly credentialId: string | null;
  readonly keyId: string | null;
  readonly actingOn: string;
}

/** An access token takes two: its minter's, and one for its own id and whom it speaks for. */
function looksOf(credential: Credential, tenantId: string): readonly Look[] {
  const { subject, credentialId, grant } = credential;
  const keyId = subject === null ? credentialId : null;
  const own = { ownTenant: ownTenantId(credential), subject, credentialId, keyId, actingOn: tenantId };
  if (grant === undefined) return [own];
  const { id, subject: spokenFor } = grant;
  return [
    own,
    { ownTenant: grant.tenantId, subject: spokenFor, credentialId: id, keyId: null, actingOn: tenantId },
  ];
}

/** The tenant that the caller acts on. Only a super admin may name another one. */
function actingOn(credential: Credential, tenantId: string | null): string {
  const ownTenant = credential.grant?.tenantId ?? ownTenantId(credential);
  if (tenantId === null || tenantId === '' || tenantId.toLowerCase() === ownTenant) return ownTenant;
  if (credential.role !== 'super_admin' || credential.grant !== undefined) {
    throw new DomainError('Forbidden', `Only super_admin may act on another tenant (x-millrace-tenant)`, {
      field: 'x-millrace-tenant',
      allowed: ownTenant,
    });
  }
  if (isUuid(tenantId)) return tenantId.toLowerCase();
  throw new DomainError('InvalidArgument', `x-millrace-tenant is ${JSON.stringify(tenantId.slice(0, 80))}`, {
    field: 'x-millrace-tenant',
    allowed: "a tenant's UUID",
  });
}

/** What may change of a credential that goes on. Compared by hand: thousands are looked at each second. */
function isSame(a: Identity, b: Identity): boolean {
  return (
    a.actor.role === b.actor.role &&
    a.persistedOnly === b.persistedOnly &&
    a.actor.expiresAt?.getTime() === b.actor.expiresAt?.getTime() &&
    a.actor.scopes?.join() === b.actor.scopes?.join() &&
    a.actor.jobTypes?.join() === b.actor.jobTypes?.join()
  );
}
