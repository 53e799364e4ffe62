import { type Actor, ROLES, type Role } from '../core/actor.ts';
import { REACH_SCOPES, type Reach } from '../core/reach.ts';
import type { StandingRow } from '../db/sql/identity/read-standings.ts';
import type { AccessGrant, Identity } from './identity.ts';
import { checkIssued, isRevoked } from './standing.ts';
import { unauthenticated } from './unauthenticated.ts';

/** As much of its minter's role as each may have. */
const MAX_ROLE: Readonly<Record<Reach['kind'], Role>> = {
  job: 'member',
  video: 'member',
  ownJobs: 'member',
  upload: 'tenant_admin',
};

/**
 * What an access token may, of what its minter may by now: the lower role, the scopes that both have, the
 * earlier end.
 * @param minter who minted it, judged already: with them it has ended
 * @param standing what the database knows of the token itself
 * @throws DomainError `Unauthenticated`
 */
export function granted(
  minter: Identity,
  grant: AccessGrant,
  standing: StandingRow,
  clockToleranceSeconds: number,
): Identity {
  if (grant.expiresAt.getTime() <= Date.now()) throw unauthenticated('expired', 'Token has expired');
  checkIssued(grant, standing.database_now, clockToleranceSeconds);
  if (isRevoked(grant, standing.revoked_before, clockToleranceSeconds))
    throw unauthenticated('revoked', 'Token has been revoked');
  const { role, scopes, expiresAt } = minter.actor;
  const name = grant.subject === null ? minter.actor.name : `user:${grant.subject}`;
  const actor: Actor = {
    tenantId: grant.tenantId,
    role: lower(role, MAX_ROLE[grant.kind]),
    name,
    expiresAt: expiresAt !== null && expiresAt < grant.expiresAt ? expiresAt : grant.expiresAt,
    credentialId: grant.id,
    scopes: REACH_SCOPES[grant.kind].filter((scope) => scopes === null || scopes.includes(scope)),
    reach: reachOf(grant, name),
  };
  return { ...minter, actor };
}

function lower(a: Role, b: Role): Role {
  return ROLES.indexOf(a) < ROLES.indexOf(b) ? a : b;
}

function reachOf({ kind, targetId }: AccessGrant, name: string): Reach {
  switch (kind) {
    case 'job':
      return { kind, jobId: targetId ?? '' };
    case 'video':
      return { kind, videoId: targetId ?? '' };
    case 'ownJobs':
    case 'upload':
      return { kind, createdBy: name };
    default:
      // A kind that a newer release made: it must not be taken for a wide one.
      throw unauthenticated('invalid', 'There is no such access token');
  }
}
