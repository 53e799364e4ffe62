import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import { insertRevocation, type RevocationRow } from '../db/sql/identity/insert-revocation.ts';
import type { JobsDeps } from '../jobs/deps.ts';
import { operate, recordChange } from './operation.ts';
import { refused } from './ranges.ts';
import { checkTokenText } from './token-text.ts';

/** Whose tokens: one of both. */
export interface TokensToRevoke {
  readonly subject?: string | null | undefined;
  readonly jti?: string | null | undefined;
}

/**
 * Ends the tokens of a person, or one token by its id, in the tenant that the actor acts on. What is issued
 * later is good.
 * @returns until when issued tokens are ended: a little ahead, as clocks that issue tokens may be
 * @throws DomainError `Forbidden` `InvalidArgument` `Busy`
 */
export const revokeTokens = defineUseCase(
  { name: 'revokeTokens', role: 'tenant_admin', scope: 'admin', toDo: 'revoke tokens' },
  async (
    { db, config }: Pick<JobsDeps, 'db' | 'config'>,
    actor: Caller,
    { subject = null, jti = null }: TokensToRevoke,
  ): Promise<Date> => {
    const given = subject ?? jti;
    if (given === null || (subject !== null && jti !== null))
      throw refused(
        'subject',
        given === null ? 'missing, as jti is' : 'given beside jti',
        'one of subject and jti',
      );
    const by = subject === null ? 'jti' : 'subject';
    checkTokenText(by, given);
    const { tenantId } = actor;
    return operate(
      db,
      `the revocations of tenant ${tenantId}`,
      async (tx) => {
        const { rows } = await tx.query<RevocationRow>(insertRevocation, [
          tenantId,
          subject,
          jti,
          actor.name,
        ]);
        const details = { by: by === 'jti' ? 'token id' : 'subject' };
        await recordChange(tx, actor, 'token.revoke', { tenantId, type: 'token', id: given }, details);
        return revokedUntil(rows[0] as RevocationRow, config.jwtClockToleranceSeconds);
      },
      { role: 'api', tenantId },
    );
  },
);

/** The `iat` up to which a revocation covers tokens, which is how `identityOf` reads it. */
export function revokedUntil({ not_before }: RevocationRow, clockToleranceSeconds: number): Date {
  return new Date(not_before.getTime() + 1_000 * clockToleranceSeconds);
}
