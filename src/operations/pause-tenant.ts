import type { Actor } from '../core/actor.ts';
import { setTenantPause } from '../db/sql/operations/set-tenant-pause.ts';
import { requireRole } from '../jobs/require-role.ts';
import { type OperationDeps, operate, recordChange } from './operation.ts';
import { holdTenant } from './tenants.ts';

/**
 * Pauses or resumes the tenant that the actor acts on: no job of a paused one is claimed, those that run go on. Again is nothing.
 * @throws DomainError `Forbidden` `NotFound` `Busy`
 */
export async function pauseTenant(
  { db, queue }: OperationDeps,
  actor: Actor,
  paused: boolean,
): Promise<void> {
  requireRole(actor, 'tenant_admin', 'pause and resume its tenant');
  const { tenantId } = actor;
  const changed = await operate(db, `tenant ${tenantId}`, async (tx) => {
    const row = await holdTenant(tx, tenantId);
    if ((row.paused_at !== null) === paused) return false;
    await tx.query(setTenantPause, [tenantId, paused]);
    const target = { tenantId, type: 'tenant', id: tenantId };
    const details = paused ? {} : { pausedAt: row.paused_at };
    await recordChange(tx, actor, paused ? 'tenant.pause' : 'tenant.resume', target, details);
    return true;
  });
  if (changed && !paused) queue.ringUnblocked();
}
