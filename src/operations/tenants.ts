import { DomainError } from '../core/errors.ts';
import type { Transaction } from '../db/database.ts';
import { type LockedTenantRow, lockTenant } from '../db/sql/operations/lock-tenant.ts';

/**
 * Holds the tenant that the actor acts on for a change.
 * @throws DomainError `NotFound` when it was deleted since the actor came in
 */
export async function holdTenant(tx: Transaction, tenantId: string): Promise<LockedTenantRow> {
  const { rows } = await tx.query<LockedTenantRow>(lockTenant, [tenantId]);
  if (rows[0] !== undefined) return rows[0];
  throw new DomainError('NotFound', `There is no tenant ${tenantId}.`);
}
