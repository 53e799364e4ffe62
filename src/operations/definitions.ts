import { DomainError } from '../core/errors.ts';
import type { Transaction } from '../db/database.ts';
import { type LockedDefinitionRow, lockDefinition } from '../db/sql/operations/lock-definition.ts';
import { type EnqueueableKeyRow, listEnqueueableKeys } from '../db/sql/queue/list-enqueueable-keys.ts';
import { MAX_GUESSED_KEYS, withGuess } from '../jobs/definition-guess.ts';

/** Operators change definitions of all of them. */
const ENQUEUE_ROLES = ['member', 'tenant_admin', 'system'];

/**
 * Holds a definition for a change.
 * @throws DomainError `UnknownDefinition`, with a guess
 */
export async function holdDefinition(tx: Transaction, key: string): Promise<LockedDefinitionRow> {
  // No key has such characters, and the database takes no NUL.
  const { rows } = key.includes('\0')
    ? { rows: [] }
    : await tx.query<LockedDefinitionRow>(lockDefinition, [key]);
  if (rows[0] !== undefined) return rows[0];
  const known = await tx.query<EnqueueableKeyRow>(listEnqueueableKeys, [ENQUEUE_ROLES, MAX_GUESSED_KEYS]);
  throw withGuess(
    unknownDefinition(key),
    key,
    known.rows.map((row) => row.key),
  );
}

export function unknownDefinition(key: string): DomainError {
  const shown = JSON.stringify(key.slice(0, 100));
  return new DomainError('UnknownDefinition', `There is no job definition ${shown}.`, {
    field: 'definition',
  });
}
