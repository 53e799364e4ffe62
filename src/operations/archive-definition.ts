import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import { DomainError } from '../core/errors.ts';
import { SYSTEM_TENANT_ID } from '../core/ids.ts';
import { setDefinitionArchived } from '../db/sql/operations/set-definition-archived.ts';
import { holdDefinition } from './definitions.ts';
import { type OperationDeps, operate, recordChange } from './operation.ts';

/**
 * Archives a definition that no code declares: nothing is enqueued of it and nothing claimed any more. Its
 * jobs and their history stay. Again is nothing. `isArchived: false` takes it back.
 * @returns its id
 * @throws DomainError `Forbidden` `UnknownDefinition` `WrongState` for one that code declares `Busy`
 */
export const archiveDefinition = defineUseCase(
  { name: 'archiveDefinition', role: 'super_admin', scope: 'admin', toDo: 'archive job definitions' },
  async ({ db, queue }: OperationDeps, actor: Caller, key: string, isArchived: boolean): Promise<string> => {
    const { id, changed } = await operate(db, `job definition ${key}`, async (tx) => {
      const row = await holdDefinition(tx, key);
      if (row.declared !== null)
        throw new DomainError(
          'WrongState',
          `${key} is declared by code, whose next start would bring it back; set isActive to false instead.`,
          { field: 'definition', allowed: 'a definition that no code declares' },
        );
      if ((row.archived_at !== null) === isArchived) return { id: row.id, changed: false };
      await tx.query(setDefinitionArchived, [row.id, isArchived]);
      const target = { tenantId: SYSTEM_TENANT_ID, type: 'definition', id: key } as const;
      await recordChange(tx, actor, isArchived ? 'definition.archive' : 'definition.restore', target, {});
      return { id: row.id, changed: true };
    });
    if (changed) queue.notifyUnblocked();
    return id;
  },
);
