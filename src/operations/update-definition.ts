import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import { SYSTEM_TENANT_ID } from '../core/ids.ts';
import { checkVersion, type VersionMatch, versionOfTime } from '../core/version-match.ts';
import { updateDefinition as updateRow } from '../db/sql/operations/update-definition.ts';
import {
  checkDefinitionSettings,
  type DefinitionSettings,
  settingsInForce,
  settingsToAudit,
} from './definition-settings.ts';
import { holdDefinition } from './definitions.ts';
import { type OperationDeps, operate, recordChange } from './operation.ts';
import { changeOf, type Patch } from './patch.ts';
import { refused } from './ranges.ts';

/**
 * Changes a definition for all tenants. What is set here has an operator for its owner, and stays when
 * processes start that declare another value, until it is reset.
 * @param reset settings that go back to what code declares
 * @returns its id
 * @throws DomainError `Forbidden` `UnknownDefinition` `InvalidArgument` `Busy` `PreconditionFailed`
 */
export const updateDefinition = defineUseCase(
  { name: 'updateDefinition', role: 'super_admin', scope: 'admin', toDo: 'change job definitions' },
  async (
    { db, queue }: OperationDeps,
    actor: Caller,
    key: string,
    patch: Patch<DefinitionSettings>,
    reset: readonly (keyof DefinitionSettings)[] = [],
    ifMatch: VersionMatch | null = null,
  ): Promise<string> => {
    checkDefinitionSettings(patch);
    const both = reset.find((name) => patch[name] !== undefined);
    if (both !== undefined) throw refused('reset', `${both}, which is also set`, 'settings that are not set');
    const { id, changed } = await operate(db, `job definition ${key}`, async (tx) => {
      const row = await holdDefinition(tx, key);
      checkVersion(ifMatch, versionOfTime(row.updated_at));
      const before = settingsInForce(row.declared, row.override);
      const given = Object.entries(patch).filter(([, value]) => value !== undefined);
      const override = Object.fromEntries([
        ...Object.entries(row.override).filter(([name]) => !reset.includes(name as keyof DefinitionSettings)),
        ...given,
      ]);
      if (JSON.stringify(override) === JSON.stringify(row.override)) return { id: row.id, changed: false };
      const after = settingsInForce(row.declared, override);
      await tx.query(updateRow, [row.id, JSON.stringify(after), JSON.stringify(override)]);
      const change = changeOf(before, after);
      const target = { tenantId: SYSTEM_TENANT_ID, type: 'definition', id: key } as const;
      await recordChange(tx, actor, 'definition.update', target, {
        old: settingsToAudit(change?.old ?? {}),
        new: settingsToAudit(change?.new ?? {}),
        ...(reset.length > 0 && { reset }),
      });
      return { id: row.id, changed: true };
    });
    if (changed) queue.notifyUnblocked();
    return id;
  },
);
