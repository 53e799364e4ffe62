import type { Caller } from '../access/caller.ts';
import { requireRole } from '../access/require-role.ts';
import { defineUseCase } from '../access/use-case.ts';
import type { RateLimit } from '../core/definition.ts';
import { checkFilterText } from '../core/filter-values.ts';
import { checkVersion, type VersionMatch, versionOfTime } from '../core/version-match.ts';
import type { LockedTenantRow } from '../db/sql/operations/lock-tenant.ts';
import { updateTenant as updateRow } from '../db/sql/operations/update-tenant.ts';
import { type OperationDeps, operate, recordChange } from './operation.ts';
import { changeOf, type Patch } from './patch.ts';
import {
  checkNotNull,
  checkNumber,
  checkRate,
  MAX_RETENTION_SECONDS,
  MAX_RUNNING,
  MAX_TENANT_NAME_LENGTH,
  MAX_WEIGHT,
  rateOf,
  refused,
} from './ranges.ts';
import { holdTenant } from './tenants.ts';

/** What may be set of a tenant; null: no limit. */
export interface TenantSettings {
  readonly name: string;
  /** Share of claims against other tenants. */
  readonly weight: number;
  readonly maxRunning: number | null;
  readonly rateLimit: RateLimit | null;
  readonly retentionSeconds: number | null;
  /** Limit of the bytes of originals and clips; null: the installation's default. */
  readonly maxStoredBytes: number | null;
}

/**
 * Changes the tenant that the actor acts on, or another one for a super admin. Its admins may change its
 * name; what it may use is a super admin's to say.
 * @throws DomainError `Forbidden` `InvalidArgument` `NotFound` `Busy` `PreconditionFailed`
 */
export const updateTenant = defineUseCase(
  { name: 'updateTenant', role: 'tenant_admin', scope: 'admin', toDo: 'change its tenant' },
  async (
    { db, queue }: OperationDeps,
    actor: Caller,
    patch: Patch<TenantSettings>,
    tenantId: string = actor.tenantId,
    ifMatch: VersionMatch | null = null,
  ): Promise<void> => {
    if (tenantId !== actor.tenantId) requireRole(actor, 'super_admin', 'change another tenant', 'admin');
    const { name, ...limits } = patch;
    const asked = Object.entries(limits).find(([, value]) => value !== undefined);
    if (asked !== undefined) requireRole(actor, 'super_admin', `set ${asked[0]} of a tenant`);
    check(patch);
    checkFilterText('name', name, MAX_TENANT_NAME_LENGTH);
    const cleaned = { ...patch, name: name ?? undefined };
    const changed = await operate(db, `tenant ${tenantId}`, async (tx) => {
      const held = await holdTenant(tx, tenantId);
      checkVersion(ifMatch, versionOfTime(held.updated_at));
      const change = changeOf(settingsOf(held), cleaned);
      if (change === null) return false;
      const { after } = change;
      await tx.query(updateRow, [
        tenantId,
        after.name,
        after.weight,
        after.maxRunning,
        after.rateLimit?.count ?? null,
        after.rateLimit?.periodSeconds ?? null,
        after.retentionSeconds,
        after.maxStoredBytes,
      ]);
      const target = { tenantId, type: 'tenant', id: tenantId } as const;
      await recordChange(tx, actor, 'tenant.update', target, { old: change.old, new: change.new });
      return true;
    });
    if (changed) queue.notifyUnblocked();
  },
);

function check(patch: Patch<TenantSettings>): void {
  const { name } = patch;
  const length = `1 to ${MAX_TENANT_NAME_LENGTH} characters`;
  checkNotNull('name', name, length);
  if (name != null && (name.trim() === '' || name.length > MAX_TENANT_NAME_LENGTH))
    throw refused('name', JSON.stringify(name.slice(0, 80)), length);
  checkNotNull('weight', patch.weight, `1 to ${MAX_WEIGHT}`);
  checkNumber('weight', patch.weight, 1, MAX_WEIGHT);
  checkNumber('maxRunning', patch.maxRunning, 1, MAX_RUNNING);
  checkRate('rateLimit', patch.rateLimit);
  checkNumber('retentionSeconds', patch.retentionSeconds, 0, MAX_RETENTION_SECONDS);
  checkNumber('maxStoredBytes', patch.maxStoredBytes, 1, Number.MAX_SAFE_INTEGER);
}

function settingsOf(row: LockedTenantRow): TenantSettings {
  return {
    name: row.name,
    weight: row.weight,
    maxRunning: row.max_running,
    rateLimit: rateOf(row.rate_limit_count, row.rate_limit_period_seconds),
    retentionSeconds: row.retention_seconds === null ? null : Number(row.retention_seconds),
    maxStoredBytes: row.max_stored_bytes === null ? null : Number(row.max_stored_bytes),
  };
}
