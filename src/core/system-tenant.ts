import type { Role } from './actor.ts';
import { SYSTEM_TENANT_ID } from './ids.ts';

/** False for everybody but super admins in the system tenant: what it owns is the whole installation's. */
export function mayBelongTo(role: Role, tenantId: string): boolean {
  return role === 'super_admin' || tenantId !== SYSTEM_TENANT_ID;
}
