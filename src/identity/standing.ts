import { type Actor, ROLES, type Role } from '../core/actor.ts';
import { SYSTEM_TENANT_ID } from '../core/ids.ts';
import { mayBelongTo } from '../core/system-tenant.ts';
import type { StandingRow } from '../db/sql/identity/read-standings.ts';
import type { Credential } from './identity.ts';
import { unauthenticated } from './unauthenticated.ts';

/** The tenant whose rows decide over a credential: its own, or the system tenant's for a super admin without one. */
export function homeTenantId(credential: Credential): string {
  return credential.tenantId ?? SYSTEM_TENANT_ID;
}

/**
 * Judges a credential by what the database knows of it and makes its actor.
 * @param tenantId the tenant to act on; another than its own only for a super admin, which the caller has checked
 * @throws DomainError `Unauthenticated`
 */
export function actorOf(credential: Credential, standing: StandingRow, tenantId: string): Actor {
  if (credential.expiresAt !== null && credential.expiresAt.getTime() <= Date.now())
    throw unauthenticated('expired', 'Token has expired');
  const home = homeTenantId(credential);
  if (!mayBelongTo(credential.role, home))
    throw unauthenticated('invalid', `Role ${credential.role} cannot be of the system tenant`, 'super_admin');
  if (!standing.tenant_lives) throw unauthenticated('unknownTenant', `There is no tenant ${home}`);
  if (standing.key_revoked_at !== null || isRevoked(credential, standing.revoked_before))
    throw unauthenticated('revoked', 'Token has been revoked');
  // Last: whose credential has ended hears of that, not of tenants.
  if (!standing.acting_tenant_lives)
    throw unauthenticated('unknownTenant', `There is no tenant ${tenantId} to act on`);
  return {
    tenantId,
    role: effectiveRole(credential, standing),
    name: credential.subject === null ? `key:${credential.credentialId}` : `user:${credential.subject}`,
    expiresAt: credential.expiresAt,
    credentialId: credential.credentialId,
  };
}

/**
 * Where a tenant lists its members, the list decides together with the token: the lower role holds, and who is not on it
 * is nobody. API keys and super admins are not people of the tenant.
 */
function effectiveRole(credential: Credential, standing: StandingRow): Role {
  if (credential.subject === null || credential.role === 'super_admin' || !standing.has_members)
    return credential.role;
  const member = ROLES.find((role) => role === standing.member_role);
  if (member === undefined)
    throw unauthenticated(
      'notMember',
      `${credential.subject} is not a member of tenant ${homeTenantId(credential)}`,
    );
  return ROLES.indexOf(member) < ROLES.indexOf(credential.role) ? member : credential.role;
}

/** Tokens count whole seconds, so one issued in the second of the revocation is revoked too. */
function isRevoked(credential: Credential, revokedBefore: Date | null): boolean {
  if (revokedBefore === null) return false;
  return credential.issuedAt === null || credential.issuedAt.getTime() <= revokedBefore.getTime();
}
