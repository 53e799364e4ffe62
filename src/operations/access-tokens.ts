import type { Caller } from '../access/caller.ts';
import { requireRole } from '../access/require-role.ts';
import { defineUseCase } from '../access/use-case.ts';
import { hasRole } from '../core/actor.ts';
import { DomainError } from '../core/errors.ts';
import { REACH_SCOPES, type ReachKind, reachInWords } from '../core/reach.ts';
import { hasScope } from '../core/scopes.ts';
import { insertRevocation } from '../db/sql/identity/insert-revocation.ts';
import type { AccessTokens } from '../identity/access-token.ts';
import type { Credential } from '../identity/identity.ts';
import { notFound } from '../jobs/not-found.ts';
import { type OperationDeps, operate, recordChange } from './operation.ts';
import { checkNumber } from './ranges.ts';
import { checkTokenText } from './token-text.ts';

/** As long as a page is open, rather. */
export const DEFAULT_TTL_SECONDS = 900;
export const MAX_TTL_SECONDS = 86_400;

/** An access token to be made. */
export interface NewAccessToken {
  readonly kind: ReachKind;
  /** The UUID of the job or video; null for the other kinds. */
  readonly targetId: string | null;
  /** Whom it speaks for; null or absent: its minter. */
  readonly subject?: string | null | undefined;
  readonly ttlSeconds?: number | null | undefined;
}

export interface MadeAccessToken {
  readonly token: string;
  readonly jti: string;
  readonly expiresAt: Date;
}

/** What makes a token, and for whom. */
export interface MintingDeps {
  readonly accessTokens: AccessTokens;
  /** The minter's. */
  readonly credential: Credential;
  /** Whether the minter sees the job or video. */
  readonly isThere: () => Promise<boolean>;
}

/**
 * Makes an access token, which can do no more than who makes it, and ends with them. No row is written.
 * @throws DomainError `Forbidden` `InvalidArgument` `NotFound`
 */
export const createAccessToken = defineUseCase(
  { name: 'createAccessToken', role: 'member', scope: 'any', toDo: 'make access tokens' },
  async (
    { accessTokens, credential, isThere }: MintingDeps,
    actor: Caller,
    request: NewAccessToken,
  ): Promise<MadeAccessToken> => {
    const { kind, targetId, subject = null } = request;
    const toDo = 'make access tokens';
    if (actor.reach !== undefined)
      throw new DomainError(
        'Forbidden',
        `This access token may not ${toDo}: it reaches ${reachInWords(actor.reach)}.`,
      );
    const [scope] = REACH_SCOPES[kind];
    requireRole(actor, kind === 'upload' ? 'tenant_admin' : 'member', `${toDo} of this kind`, scope);
    if (subject !== null) {
      checkTokenText('subject', subject);
      if (`user:${subject}` !== actor.name)
        requireRole(actor, 'tenant_admin', `${toDo} that speak for others`, scope);
    }
    checkNumber('ttlSeconds', request.ttlSeconds, 1, MAX_TTL_SECONDS);
    if (targetId !== null && !(await isThere())) throw notFound(kind, targetId);
    const issuedAt = new Date(Math.floor(Date.now() / 1_000) * 1_000);
    const endsAt = new Date(issuedAt.getTime() + 1_000 * (request.ttlSeconds ?? DEFAULT_TTL_SECONDS));
    const expiresAt = actor.expiresAt !== null && actor.expiresAt < endsAt ? actor.expiresAt : endsAt;
    const jti = accessTokens.newId(actor.tenantId, actor.name);
    const grant = { id: jti, tenantId: actor.tenantId, subject, kind, targetId, issuedAt, expiresAt };
    return { token: await accessTokens.seal(credential, grant), jti, expiresAt };
  },
);

/**
 * Ends an access token of the actor's tenant, with every stream that came with it; again changes nothing.
 * @throws DomainError `Forbidden` `InvalidArgument` `Busy`, `NotFound` for one that the actor neither made
 *   nor administers
 */
export const revokeAccessToken = defineUseCase(
  // Whatever a narrowed key is narrowed to: that it made the token is what counts.
  { name: 'revokeAccessToken', role: 'member', scope: 'any', toDo: 'revoke access tokens' },
  async (
    { db, accessTokens }: Pick<OperationDeps, 'db'> & Pick<MintingDeps, 'accessTokens'>,
    actor: Caller,
    jti: string,
  ): Promise<void> => {
    checkTokenText('jti', jti);
    const administers = hasRole(actor.role, 'tenant_admin') && hasScope(actor, 'admin');
    const { tenantId } = actor;
    const isOwn = accessTokens.isIdOf(jti, tenantId, actor.name);
    if (actor.reach !== undefined || !(isOwn || (administers && accessTokens.isId(jti))))
      throw new DomainError('NotFound', `There is no access token ${JSON.stringify(jti.slice(0, 80))}.`, {
        field: 'jti',
      });
    await operate(
      db,
      `the revocations of tenant ${tenantId}`,
      async (tx) => {
        await tx.query(insertRevocation, [tenantId, null, jti, actor.name]);
        const details = { by: 'access token' };
        await recordChange(tx, actor, 'token.revoke', { tenantId, type: 'token', id: jti }, details);
      },
      { role: 'api', tenantId },
    );
  },
);
