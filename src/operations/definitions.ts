import { DomainError } from '../core/errors.ts';
import type { Transaction } from '../db/database.ts';
import { type LockedDefinitionRow, lockDefinition } from '../db/sql/operations/lock-definition.ts';

/**
 * Holds a definition for a change.
 * @throws DomainError `UnknownDefinition`
 */
export async function holdDefinition(tx: Transaction, key: string): Promise<LockedDefinitionRow> {
  // No key has such characters, and the database takes no NUL.
  const { rows } = key.includes('\0')
    ? { rows: [] }
    : await tx.query<LockedDefinitionRow>(lockDefinition, [key]);
  if (rows[0] !== undefined) return rows[0];
  throw unknownDefinition(key);
}

export function unknownDefinition(key: string): DomainError {
  const shown = JSON.stringify(key.slice(0, 100));
  return new DomainError('UnknownDefinition', `There is no job definition ${shown}.`, {
    field: 'definition',
  });
}
