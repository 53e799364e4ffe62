import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import { DomainError } from '../core/errors.ts';
import { SYSTEM_TENANT_ID } from '../core/ids.ts';
import { recordOutcome } from '../db/outcome-record.ts';
import { sqlState } from '../db/retryable.ts';
import { type InsertedDefinitionRow, insertDefinition } from '../db/sql/operations/insert-definition.ts';
import {
  checkDefinitionSettings,
  type DefinitionSettings,
  settingsInForce,
  settingsToAudit,
} from './definition-settings.ts';
import { type OperationDeps, operate, recordChange } from './operation.ts';
import type { Patch } from './patch.ts';
import { refused } from './ranges.ts';

const KEY = /^[a-z][a-z0-9_.-]{0,99}$/;
const KEY_ALLOWED = '1 to 100 of a-z, 0-9, _, -, ., starting with a letter';
const UNIQUE_VIOLATION = '23505';

/**
 * Makes a job definition at run time. Workers that can serve its key (a command of theirs, or code) pick it
 * up without a restart.
 * @param patch its settings; what is absent is as by default (3 attempts, 1 h timeout, 30 s lease)
 * @returns its id
 * @throws DomainError `Forbidden` `InvalidArgument` `AlreadyExists` `Busy`
 */
export const createDefinition = defineUseCase(
  { name: 'createDefinition', role: 'super_admin', scope: 'admin', toDo: 'make job definitions' },
  async (
    { db }: OperationDeps,
    actor: Caller,
    key: string,
    patch: Patch<DefinitionSettings>,
  ): Promise<string> => {
    if (!KEY.test(key)) throw refused('key', JSON.stringify(key.slice(0, 120)), KEY_ALLOWED);
    checkDefinitionSettings(patch);
    const override = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
    try {
      return await operate(db, `job definition ${key}`, async (tx) => {
        const settings = settingsInForce(null, override);
        const { rows } = await tx.query<InsertedDefinitionRow>(insertDefinition, [
          key,
          JSON.stringify(settings),
          JSON.stringify(override),
        ]);
        const target = { tenantId: SYSTEM_TENANT_ID, type: 'definition', id: key } as const;
        await recordChange(tx, actor, 'definition.create', target, settingsToAudit(override));
        const id = rows[0]?.id as string;
        await recordOutcome(tx, id);
        return id;
      });
    } catch (error) {
      if (sqlState(error) !== UNIQUE_VIOLATION) throw error;
      throw new DomainError(
        'AlreadyExists',
        `There is a job definition ${key} already; change it with updateJobDefinition.`,
        { field: 'key', allowed: 'a key that no definition has' },
      );
    }
  },
);
