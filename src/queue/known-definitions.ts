import type { Database } from '../db/database.ts';
import { type DefinitionRow, findDefinitions } from '../db/sql/queue/find-definitions.ts';

const MAX_KNOWN = 1000;
const MAX_KEY_LENGTH = 100;

/**
 * Definitions by key, remembered. A remembered one may be out of date: code that writes a job by it names its `revision`, and code that
 * refuses one by it looks again first (`refresh`).
 */
export class KnownDefinitions {
  readonly #db: Database;
  readonly #known = new Map<string, DefinitionRow>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** What is remembered, without a look at the database. */
  remembered(key: string): DefinitionRow | undefined {
    return this.#known.get(key);
  }

  /** Reads them from the database, in one statement; those that are not there are missing in the answer. */
  async refresh(keys: Iterable<string>): Promise<ReadonlyMap<string, DefinitionRow>> {
    // No key that a definition can have; some of them Postgres would not even take as text.
    const asked = [...new Set(keys)].filter((key) => key.length <= MAX_KEY_LENGTH && /^[\w.-]+$/.test(key));
    if (asked.length === 0) return new Map();
    const { rows } = await this.#db.asWorker<DefinitionRow>(findDefinitions, [asked]);
    for (const key of asked) this.#known.delete(key);
    if (this.#known.size + rows.length > MAX_KNOWN) this.#known.clear();
    for (const row of rows) this.#known.set(row.key, row);
    return new Map(rows.map((row) => [row.key, row]));
  }
}
