import { BoundedMap } from '../../core/bounded-map.ts';
import type { SyncedDefinition } from '../../core/definition-records.ts';
import type { Database } from '../../db/database.ts';
import { readDefinitions } from '../sync-definitions.ts';

/** How late a change of a definition reaches remote workers. */
const FRESH_MS = 2_000;
const MAX_KNOWN = 1_000;

/** The definitions that remote workers ask for, as their rows are now. */
export class RemoteDefinitions {
  readonly #db: Database;
  readonly #byKey = new BoundedMap<
    string,
    { readonly definition: SyncedDefinition; readonly readMs: number }
  >(MAX_KNOWN);
  readonly #byId = new BoundedMap<string, SyncedDefinition>(10 * MAX_KNOWN);

  constructor(db: Database) {
    this.#db = db;
  }

  /** All that were asked for recently: a claimed row finds its definition here. */
  get byId(): ReadonlyMap<string, SyncedDefinition> {
    return this.#byId;
  }

  /** @returns those that are there, archived ones too, in the order of the keys */
  async find(keys: readonly string[]): Promise<readonly SyncedDefinition[]> {
    const nowMs = performance.now();
    const stale = keys.filter((key) => (this.#byKey.get(key)?.readMs ?? -FRESH_MS) <= nowMs - FRESH_MS);
    if (stale.length > 0) this.#keep(stale, await readDefinitions(this.#db, stale), nowMs);
    return keys.map((key) => this.#byKey.get(key)?.definition).filter((found) => found !== undefined);
  }

  #keep(asked: readonly string[], rows: readonly SyncedDefinition[], readMs: number): void {
    for (const key of asked) this.#byKey.delete(key);
    for (const row of rows) {
      // The same object for as long as the row is the same: compiled schemas are kept by it.
      const known = this.#byId.get(row.id);
      const definition = known?.revision === row.revision ? known : row;
      this.#byKey.set(definition.key, { definition, readMs });
      this.#byId.set(definition.id, definition);
    }
  }
}
