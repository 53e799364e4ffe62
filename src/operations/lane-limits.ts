import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import type { RateLimit } from '../core/definition.ts';
import type { Transaction } from '../db/database.ts';
import { deleteLaneLimit } from '../db/sql/operations/delete-lane-limit.ts';
import { findLaneLimit, type LaneLimitRow } from '../db/sql/operations/find-lane-limit.ts';
import { setLaneLimit as setRow } from '../db/sql/operations/set-lane-limit.ts';
import { unknownDefinition } from './definitions.ts';
import { type OperationDeps, operate, recordChange } from './operation.ts';
import { changeOf, type Patch } from './patch.ts';
import { checkNumber, checkRate, MAX_RUNNING, rateOf } from './ranges.ts';
import { holdTenant } from './tenants.ts';

/** A tenant's own limits for one definition; null: the definition's per-tenant limit. */
export interface LaneSettings {
  readonly maxRunning: number | null;
  readonly rateLimit: RateLimit | null;
}

const TO_DO = 'set limits of a tenant';

/**
 * Sets the limits of the actor's tenant for a definition.
 * @throws DomainError `Forbidden` `UnknownDefinition` `InvalidArgument` `NotFound` `Busy`
 */
export const setLaneLimit = defineUseCase(
  { name: 'setLaneLimit', role: 'super_admin', scope: 'admin', toDo: TO_DO },
  async (
    { db, queue }: OperationDeps,
    actor: Caller,
    key: string,
    patch: Patch<LaneSettings>,
  ): Promise<void> => {
    checkNumber('maxRunning', patch.maxRunning, 1, MAX_RUNNING);
    checkRate('rateLimit', patch.rateLimit);
    const { tenantId } = actor;
    await operate(db, `tenant ${tenantId}`, async (tx) => {
      const row = await holdLane(tx, tenantId, key);
      const before = settingsOf(row);
      const change = changeOf(before, patch);
      if (change === null && row.is_set) return;
      const { maxRunning, rateLimit } = change?.after ?? before;
      await tx.query(setRow, [
        tenantId,
        row.definition_id,
        maxRunning,
        rateLimit?.count ?? null,
        rateLimit?.periodSeconds ?? null,
      ]);
      const details = { old: change?.old ?? {}, new: change?.new ?? {} };
      await recordChange(tx, actor, 'lane_limit.set', { tenantId, type: 'lane_limit', id: key }, details);
    });
    queue.notifyUnblocked();
  },
);

/**
 * Takes the limits of the actor's tenant for a definition away; where there are none, nothing happens.
 * @throws DomainError `Forbidden` `UnknownDefinition` `NotFound` `Busy`
 */
export const removeLaneLimit = defineUseCase(
  { name: 'removeLaneLimit', role: 'super_admin', scope: 'admin', toDo: TO_DO },
  async ({ db, queue }: OperationDeps, actor: Caller, key: string): Promise<void> => {
    const { tenantId } = actor;
    await operate(db, `tenant ${tenantId}`, async (tx) => {
      const row = await holdLane(tx, tenantId, key);
      if (!row.is_set) return;
      await tx.query(deleteLaneLimit, [tenantId, row.definition_id]);
      const details = { old: settingsOf(row) };
      await recordChange(tx, actor, 'lane_limit.remove', { tenantId, type: 'lane_limit', id: key }, details);
    });
    queue.notifyUnblocked();
  },
);

/** Holds the tenant, so that two who set a limit for the first time come one after the other. */
async function holdLane(tx: Transaction, tenantId: string, key: string): Promise<LaneLimitRow> {
  await holdTenant(tx, tenantId);
  const { rows } = key.includes('\0')
    ? { rows: [] }
    : await tx.query<LaneLimitRow>(findLaneLimit, [tenantId, key]);
  if (rows[0] !== undefined) return rows[0];
  throw unknownDefinition(key);
}

function settingsOf(row: LaneLimitRow): LaneSettings {
  return {
    maxRunning: row.max_running,
    rateLimit: rateOf(row.rate_limit_count, row.rate_limit_period_seconds),
  };
}
