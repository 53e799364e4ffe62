import { SYSTEM_TENANT_ID } from './ids.ts';
import type { Reach } from './reach.ts';
import type { Scope } from './scopes.ts';

/** Roles, weakest first. `worker` is for workers in other languages and reads nothing but what it claims. */
export const ROLES = ['worker', 'member', 'tenant_admin', 'super_admin'] as const;
export type Role = (typeof ROLES)[number];

/** The caller: one tenant, one role, and a name that is written beside what they do. */
export interface Actor {
  readonly tenantId: string;
  readonly role: Role;
  /** `user:<sub>`, `key:<id>` or `system`; stored as `created_by`. */
  readonly name: string;
  /** Token end, for streams that must not outlive it; null when it has none. */
  readonly expiresAt: Date | null;
  /**
   * Token id (`jti`, of an access token too) or API key id, for revocation; null when the token carries none.
   */
  readonly credentialId: string | null;
  /** What an API key or an access token is narrowed to; null for all that the role may, as with every JWT. */
  readonly scopes: readonly Scope[] | null;
  /** The job types that a worker's key may claim; absent for all. */
  readonly jobTypes?: readonly string[];
  /** What an access token is limited to; absent for JWTs and API keys. */
  readonly reach?: Reach;
}

/** Millrace itself, in the given tenant (the reserved system tenant by default). */
export function systemActor(tenantId: string = SYSTEM_TENANT_ID): Actor {
  return {
    tenantId,
    role: 'super_admin',
    name: 'system',
    expiresAt: null,
    credentialId: null,
    scopes: null,
  };
}

/**
 * True when `role` may do what needs `needed`. `worker` may do nothing that another role is needed for, and
 * no other role does what a worker does: a claim hands out payloads, and takes jobs from those who work.
 */
export function hasRole(role: Role, needed: Role): boolean {
  if (needed === 'worker') return role === 'worker';
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
