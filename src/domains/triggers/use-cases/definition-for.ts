import { type Actor, hasRole } from '../../../core/actor.ts';
import { DomainError } from '../../../core/errors.ts';
import type { Transaction } from '../../../db/database.ts';
import { type DefinitionRow, findDefinitions } from '../../../db/sql/queue/find-definitions.ts';

/**
 * The definition that a trigger is to make jobs of: one that its owner may enqueue by hand, so that a trigger
 * is no way around a role.
 * @throws DomainError `UnknownDefinition` `Forbidden`
 */
export async function definitionFor(tx: Transaction, actor: Actor, key: string): Promise<DefinitionRow> {
  const { rows } =
    key.length <= 100 && !key.includes('\0')
      ? await tx.query<DefinitionRow>(findDefinitions, [[key]])
      : { rows: [] };
  const definition = rows[0];
  if (definition === undefined)
    throw new DomainError('UnknownDefinition', `There is no job definition ${shown(key)}.`, {
      field: 'definition',
      allowed: 'the key of a job definition, as `jobDefinitions` lists them',
    });
  const needed = definition.enqueue_role;
  if (needed !== 'system' && hasRole(actor.role, needed)) return definition;
  throw new DomainError(
    'Forbidden',
    needed === 'system'
      ? `Only Millrace itself enqueues ${key}.`
      : `Role ${actor.role} may not enqueue ${key}; it takes ${needed}.`,
    { field: 'definition', allowed: needed === 'system' ? 'a definition that callers may enqueue' : needed },
  );
}

function shown(key: string): string {
  return JSON.stringify(key.slice(0, 100));
}
