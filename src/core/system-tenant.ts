import type { Role } from './actor.ts';
import { SYSTEM_TENANT_ID } from './ids.ts';

/**
 * False in the system tenant for everybody but super admins and workers: what it owns is the whole
 * installation's. A worker of it serves all tenants.
 */
export function mayBelongTo(role: Role, tenantId: string): boolean {
  return role === 'super_admin' || role === 'worker' || tenantId !== SYSTEM_TENANT_ID;
}
