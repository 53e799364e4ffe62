import { BoundedMap } from '../core/bounded-map.ts';
import type { Database } from '../db/database.ts';
import { definitionsByKey } from '../db/definitions-by-key.ts';
import type { DefinitionRow } from '../db/sql/queue/find-definitions.ts';

const MAX_KNOWN = 1000;

/**
 * Definitions by key, remembered. A remembered one may be out of date: code that writes a job by it names its
 * `revision`, and code that refuses one by it looks again first (`refresh`).
 */
export class KnownDefinitions {
  readonly #db: Database;
  readonly #known = new BoundedMap<string, DefinitionRow>(MAX_KNOWN);

  constructor(db: Database) {
    this.#db = db;
  }

  /** What is remembered, without a look at the database. */
  remembered(key: string): DefinitionRow | undefined {
    return this.#known.get(key);
  }

  /** Reads them from the database, in one statement; those that are not there are missing in the answer. */
  async refresh(keys: Iterable<string>): Promise<ReadonlyMap<string, DefinitionRow>> {
    const asked = new Set(keys);
    const found = await definitionsByKey(this.#db, asked);
    for (const key of asked) this.#known.delete(key);
    for (const [key, row] of found) this.#known.set(key, row);
    return found;
  }
}
