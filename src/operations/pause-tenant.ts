import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import { setTenantPause } from '../db/sql/operations/set-tenant-pause.ts';
import { checkReason } from '../jobs/reason.ts';
import { type OperationDeps, operate, recordChange } from './operation.ts';
import type { Pause } from './pause.ts';
import { holdTenant } from './tenants.ts';

/**
 * Pauses or resumes the tenant that the actor acts on: no job of a paused one is claimed, those that run go
 * on. Again is nothing.
 * @throws DomainError `Forbidden` `InvalidArgument` `NotFound` `Busy`
 */
export const pauseTenant = defineUseCase(
  { name: 'pauseTenant', role: 'tenant_admin', scope: 'admin', toDo: 'pause and resume its tenant' },
  async ({ db, queue }: OperationDeps, actor: Caller, { isPaused, reason = null }: Pause): Promise<void> => {
    const why = checkReason(reason ?? null);
    const { tenantId } = actor;
    const changed = await operate(db, `tenant ${tenantId}`, async (tx) => {
      const row = await holdTenant(tx, tenantId);
      if ((row.paused_at !== null) === isPaused) return false;
      await tx.query(setTenantPause, [tenantId, isPaused]);
      const target = { tenantId, type: 'tenant', id: tenantId } as const;
      const details = {
        ...(isPaused ? {} : { pausedAt: row.paused_at }),
        ...(why !== null && { reason: why }),
      };
      await recordChange(tx, actor, isPaused ? 'tenant.pause' : 'tenant.resume', target, details);
      return true;
    });
    if (changed && !isPaused) queue.notifyUnblocked();
  },
);
