import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import { SYSTEM_TENANT_ID } from '../core/ids.ts';
import { setDefinitionPause } from '../db/sql/operations/set-definition-pause.ts';
import { checkReason } from '../jobs/reason.ts';
import { holdDefinition } from './definitions.ts';
import { type OperationDeps, operate, recordChange } from './operation.ts';
import type { Pause } from './pause.ts';

/**
 * Pauses or resumes a definition, in all tenants: no job of a paused one is claimed, those that run go on.
 * Again is nothing.
 * @returns the definition's id
 * @throws DomainError `Forbidden` `InvalidArgument` `UnknownDefinition` `Busy`
 */
export const pauseDefinition = defineUseCase(
  { name: 'pauseDefinition', role: 'super_admin', scope: 'admin', toDo: 'pause and resume job definitions' },
  async (
    { db, queue }: OperationDeps,
    actor: Caller,
    key: string,
    { isPaused, reason = null }: Pause,
  ): Promise<string> => {
    const why = checkReason(reason ?? null);
    const { id, changed } = await operate(db, `job definition ${key}`, async (tx) => {
      const row = await holdDefinition(tx, key);
      if ((row.paused_at !== null) === isPaused) return { id: row.id, changed: false };
      await tx.query(setDefinitionPause, [row.id, isPaused]);
      const target = { tenantId: SYSTEM_TENANT_ID, type: 'definition', id: key } as const;
      const details = {
        ...(isPaused ? {} : { pausedAt: row.paused_at }),
        ...(why !== null && { reason: why }),
      };
      await recordChange(tx, actor, isPaused ? 'definition.pause' : 'definition.resume', target, details);
      return { id: row.id, changed: true };
    });
    if (changed && !isPaused) queue.notifyUnblocked();
    return id;
  },
);
