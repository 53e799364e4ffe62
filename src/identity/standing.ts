import { ROLES, type Role } from '../core/actor.ts';
import { SYSTEM_TENANT_ID } from '../core/ids.ts';
import { scopesAmong } from '../core/scopes.ts';
import { mayBelongTo } from '../core/system-tenant.ts';
import type { StandingRow } from '../db/sql/identity/read-standings.ts';
import { roleOf } from './claims.ts';
import type { Credential, Identity } from './identity.ts';
import { unauthenticated } from './unauthenticated.ts';

/**
 * The tenant whose rows decide over a credential: its own, or the system tenant's for a super admin without
 * one.
 */
export function ownTenantId(credential: Credential): string {
  return credential.tenantId ?? SYSTEM_TENANT_ID;
}

/**
 * Judges a credential by what the database knows of it by now.
 * @param tenantId the tenant to act on; another than its own only for a super admin, which the caller has
 *   checked
 * @param key what this identity has in common with others of the same credential and tenant
 * @param clockToleranceSeconds how far ahead of the database's clock a token may say that it was issued
 * @throws DomainError `Unauthenticated`
 */
export function identityOf(
  given: Credential,
  standing: StandingRow,
  tenantId: string,
  key: string,
  clockToleranceSeconds: number,
): Identity {
  const credential = credentialNow(given, standing);
  if (credential.expiresAt !== null && credential.expiresAt.getTime() <= Date.now())
    throw unauthenticated('expired', 'Token has expired');
  checkIssued(credential, standing.database_now, clockToleranceSeconds);
  const ownTenant = ownTenantId(credential);
  if (!mayBelongTo(credential.role, ownTenant))
    throw unauthenticated('invalid', `Role ${credential.role} cannot be of the system tenant`, 'super_admin');
  if (!standing.tenant_lives) throw unauthenticated('unknownTenant', `There is no tenant ${ownTenant}`);
  if (
    standing.key_revoked_at !== null ||
    isRevoked(credential, standing.revoked_before, clockToleranceSeconds)
  )
    throw unauthenticated('revoked', 'Token has been revoked');
  // Last: an ended credential is refused before anything is said about tenants.
  if (!standing.acting_tenant_lives)
    throw unauthenticated('unknownTenant', `There is no tenant ${tenantId} to act on`);
  const { subject, credentialId, expiresAt, scopes, persistedOnly, jobTypes } = credential;
  const role = effectiveRole(credential, standing);
  // What it was allowed as a super admin does not last longer than that.
  if (tenantId !== ownTenant && role !== 'super_admin')
    throw unauthenticated('revoked', `Role ${role} may no longer act on tenant ${tenantId}`);
  const name = subject === null ? `key:${credentialId}` : `user:${subject}`;
  return {
    credential,
    actor: { tenantId, role, name, expiresAt, credentialId, scopes, ...(jobTypes && { jobTypes }) },
    persistedOnly,
    key,
  };
}

/** A token says of itself what it is; of an API key the row does, and may say something else than it did. */
function credentialNow(given: Credential, standing: StandingRow): Credential {
  if (given.subject !== null) return given;
  if (standing.key_role === null) throw unauthenticated('revoked', 'The API key is gone');
  return {
    ...given,
    role: roleOf(standing.key_role, 'role'),
    scopes: scopesAmong(standing.key_scopes ?? []),
    persistedOnly: standing.key_persisted_only === true,
    expiresAt: standing.key_expires_at,
    ...(standing.key_job_types?.length && { jobTypes: standing.key_job_types }),
  };
}

/**
 * Where a tenant lists its members, the list decides together with the token: the lower role holds, and who
 * is not on it is nobody. API keys and super admins are not people of the tenant.
 */
function effectiveRole(credential: Credential, standing: StandingRow): Role {
  if (credential.subject === null || credential.role === 'super_admin' || !standing.has_members)
    return credential.role;
  const member = ROLES.find((role) => role === standing.member_role);
  if (member === undefined)
    throw unauthenticated(
      'notMember',
      `${credential.subject} is not a member of tenant ${ownTenantId(credential)}`,
    );
  return ROLES.indexOf(member) < ROLES.indexOf(credential.role) ? member : credential.role;
}

/** What says that it is issued later than a revocation reaches could not be revoked now. */
export function checkIssued(
  { issuedAt }: Pick<Credential, 'issuedAt'>,
  databaseNow: Date,
  clockToleranceSeconds: number,
): void {
  const aheadMs = issuedAt === null ? 0 : issuedAt.getTime() - databaseNow.getTime();
  if (aheadMs <= 1_000 * clockToleranceSeconds) return;
  const allowed = `at most ${clockToleranceSeconds} s ahead`;
  throw unauthenticated(
    'invalid',
    `Token claim iat is ${Math.ceil(aheadMs / 1_000)} s ahead of the clock here; allowed: ${allowed}`,
    allowed,
  );
}

/**
 * Covers all that was good at the moment of the revocation, thus also what a clock ahead issued before it.
 */
export function isRevoked(
  { issuedAt }: Pick<Credential, 'issuedAt'>,
  revokedBefore: Date | null,
  clockToleranceSeconds: number,
): boolean {
  if (revokedBefore === null) return false;
  return issuedAt === null || issuedAt.getTime() <= revokedBefore.getTime() + 1_000 * clockToleranceSeconds;
}
