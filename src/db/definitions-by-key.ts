import type { Database } from './database.ts';
import { type DefinitionRow, findDefinitions } from './sql/queue/find-definitions.ts';

const MAX_KEY_LENGTH = 100;

/** Definitions as they are now, in one statement; those that are not there are missing in the answer. */
export async function definitionsByKey(
  db: Database,
  keys: Iterable<string>,
): Promise<ReadonlyMap<string, DefinitionRow>> {
  // No key that a definition can have; some of them Postgres would not even take as text.
  const asked = [...new Set(keys)].filter((key) => key.length <= MAX_KEY_LENGTH && /^[\w.-]+$/.test(key));
  if (asked.length === 0) return new Map();
  const { rows } = await db.asWorker<DefinitionRow>(findDefinitions, [asked]);
  return new Map(rows.map((row) => [row.key, row]));
}
