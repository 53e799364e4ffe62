import type { Actor } from '../core/actor.ts';
import type { RateLimit } from '../core/definition.ts';
import { SYSTEM_TENANT_ID } from '../core/ids.ts';
import type { LockedDefinitionRow } from '../db/sql/operations/lock-definition.ts';
import { updateDefinition as updateRow } from '../db/sql/operations/update-definition.ts';
import { requireRole } from '../jobs/require-role.ts';
import { holdDefinition } from './definitions.ts';
import { type OperationDeps, operate, recordChange } from './operation.ts';
import { changeOf, type Patch } from './patch.ts';
import {
  checkNotNull,
  checkNumber,
  checkRate,
  MAX_RETENTION_SECONDS,
  MAX_RUNNING,
  rateOf,
} from './ranges.ts';

/** What an operator may set of a definition; null: no limit. The rest is what its code declares. */
export interface DefinitionSettings {
  /** Whether it takes new jobs. */
  readonly isActive: boolean;
  readonly maxRunning: number | null;
  readonly maxRunningPerTenant: number | null;
  readonly rateLimit: RateLimit | null;
  readonly rateLimitPerTenant: RateLimit | null;
  readonly retentionSeconds: number | null;
}

/**
 * Changes a definition's limits for all tenants.
 * @returns its id
 * @throws DomainError `Forbidden` `UnknownDefinition` `InvalidArgument` `Busy`
 */
export async function updateDefinition(
  { db, queue }: OperationDeps,
  actor: Actor,
  key: string,
  patch: Patch<DefinitionSettings>,
): Promise<string> {
  requireRole(actor, 'super_admin', 'change job definitions');
  check(patch);
  const { id, changed } = await operate(db, `job definition ${key}`, async (tx) => {
    const row = await holdDefinition(tx, key);
    const change = changeOf(settingsOf(row), patch);
    if (change === null) return { id: row.id, changed: false };
    await tx.query(updateRow, [row.id, ...columnsOf(change.after)]);
    const target = { tenantId: SYSTEM_TENANT_ID, type: 'definition', id: key } as const;
    await recordChange(tx, actor, 'definition.update', target, { old: change.old, new: change.new });
    return { id: row.id, changed: true };
  });
  if (changed) queue.notifyUnblocked();
  return id;
}

function check(patch: Patch<DefinitionSettings>): void {
  checkNotNull('isActive', patch.isActive, 'true, false');
  checkNumber('maxRunning', patch.maxRunning, 1, MAX_RUNNING);
  checkNumber('maxRunningPerTenant', patch.maxRunningPerTenant, 1, MAX_RUNNING);
  checkRate('rateLimit', patch.rateLimit);
  checkRate('rateLimitPerTenant', patch.rateLimitPerTenant);
  checkNumber('retentionSeconds', patch.retentionSeconds, 0, MAX_RETENTION_SECONDS);
}

function settingsOf(row: LockedDefinitionRow): DefinitionSettings {
  return {
    isActive: row.is_active,
    maxRunning: row.max_running,
    maxRunningPerTenant: row.max_running_per_tenant,
    rateLimit: rateOf(row.rate_limit_count, row.rate_limit_period_seconds),
    rateLimitPerTenant: rateOf(row.rate_limit_per_tenant_count, row.rate_limit_per_tenant_period_seconds),
    retentionSeconds: row.retention_seconds === null ? null : Number(row.retention_seconds),
  };
}

function columnsOf(settings: DefinitionSettings): readonly unknown[] {
  return [
    settings.isActive,
    settings.maxRunning,
    settings.maxRunningPerTenant,
    settings.rateLimit?.count ?? null,
    settings.rateLimit?.periodSeconds ?? null,
    settings.rateLimitPerTenant?.count ?? null,
    settings.rateLimitPerTenant?.periodSeconds ?? null,
    settings.retentionSeconds,
  ];
}
