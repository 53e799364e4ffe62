import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { DomainError } from '../../../core/errors.ts';
import { isUuid, SYSTEM_TENANT_ID } from '../../../core/ids.ts';
import { type LockedTenantRow, lockTenant } from '../../../db/sql/operations/lock-tenant.ts';
import { checkReason } from '../../../jobs/reason.ts';
import { type OperationDeps, operate, recordChange } from '../../../operations/operation.ts';
import { markTenantDeleted } from '../sql/mark-tenant-deleted.ts';

export interface TenantDeletion {
  readonly tenantId: string;
  readonly reason?: string | null | undefined;
}

/**
 * Deletes a tenant: at once for all who act on it, and the workers' leader removes what it had, batch by
 * batch. Its running jobs are asked to stop. The record stands in the system tenant's audit log.
 * @throws DomainError `Forbidden` `InvalidArgument` `NotFound` `Busy`
 */
export const deleteTenant = defineUseCase(
  { name: 'deleteTenant', role: 'super_admin', scope: 'admin', toDo: 'delete tenants' },
  async (
    { db }: Pick<OperationDeps, 'db'>,
    actor: Caller,
    { tenantId, reason = null }: TenantDeletion,
  ): Promise<void> => {
    const why = checkReason(reason ?? null);
    if (tenantId === SYSTEM_TENANT_ID)
      throw new DomainError(
        'InvalidArgument',
        'The system tenant cannot be deleted; allowed: any other tenant.',
        {
          field: 'id',
          allowed: 'any other tenant',
        },
      );
    await operate(db, `tenant ${tenantId}`, async (tx) => {
      const held = isUuid(tenantId) ? await tx.query<LockedTenantRow>(lockTenant, [tenantId]) : undefined;
      const tenant = held?.rows[0];
      if (tenant === undefined)
        throw new DomainError('NotFound', `There is no tenant ${tenantId.slice(0, 80)}.`, { field: 'id' });
      await tx.query(markTenantDeleted, [tenantId]);
      const target = { tenantId: SYSTEM_TENANT_ID, type: 'tenant', id: tenantId } as const;
      const details = { name: tenant.name, ...(why !== null && { reason: why }) };
      await recordChange(tx, actor, 'tenant.delete', target, details);
    });
  },
);
