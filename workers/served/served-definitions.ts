import type { JobDefinition } from '../../src/core/definition.ts';
import type { SyncedDefinition } from '../../src/core/definition-records.ts';

export interface ServedDefinitionsOptions {
  /** What the process declares in code. */
  readonly declared: readonly JobDefinition[];
  /** Keys that it serves; some may have no definition yet. All that are declared by default. */
  readonly keys?: readonly string[];
  /** Jobs of a key that it runs at a time, where that is less than its concurrency. */
  readonly concurrency?: ReadonlyMap<string, number>;
}

/**
 * The definitions that a worker process serves, as their rows are now: an operator may change one, make one
 * or archive one while it runs (see `watchDefinitions`).
 */
export class ServedDefinitions {
  readonly keys: readonly string[];
  readonly concurrency: ReadonlyMap<string, number>;
  readonly #declared: ReadonlyMap<string, JobDefinition>;
  readonly #byId = new Map<string, SyncedDefinition>();
  readonly #byKey = new Map<string, JobDefinition>();
  #version = 0;

  /** @param rows the definitions as `syncDefinitions` has returned them */
  constructor(rows: Iterable<SyncedDefinition>, { declared, keys, concurrency }: ServedDefinitionsOptions) {
    this.#declared = new Map(declared.map((definition) => [definition.key, definition]));
    this.keys = keys ?? declared.map(({ key }) => key);
    this.concurrency = concurrency ?? new Map();
    this.update(rows);
  }

  /** Another one after each change. */
  get version(): number {
    return this.#version;
  }

  /** By id, and always as they are now: also those that it knows and does not serve. */
  get byId(): ReadonlyMap<string, SyncedDefinition> {
    return this.#byId;
  }

  /** Those to claim for. */
  get claimable(): readonly SyncedDefinition[] {
    return [...this.#byId.values()].filter(({ key, isArchived }) => !isArchived && this.keys.includes(key));
  }

  /** A definition with what an operator has set of it; undefined for a key that is not known. */
  definition(key: string): JobDefinition | undefined {
    return this.#byKey.get(key) ?? this.#declared.get(key);
  }

  /** Takes rows over. @returns whether any was new or another than before */
  update(rows: Iterable<SyncedDefinition>): boolean {
    let isChanged = false;
    for (const row of rows) {
      if (this.#byId.get(row.id)?.revision === row.revision) continue;
      isChanged = true;
      this.#byId.set(row.id, row);
      this.#byKey.set(row.key, inForce(row, this.#declared.get(row.key)));
    }
    if (isChanged) this.#version++;
    return isChanged;
  }
}

/**
 * The row's settings over the declaration's; the declared schema itself while nobody has set another: it is
 * compiled already.
 */
function inForce(row: SyncedDefinition, declared: JobDefinition | undefined): JobDefinition {
  const { id: _id, revision: _revision, isArchived: _isArchived, payload, hasOwnSchema, ...settings } = row;
  const schema = declared === undefined || hasOwnSchema ? payload : declared.payload;
  return Object.freeze({ ...UNLIMITED, ...declared, ...settings, payload: schema });
}

/** Limits are the database's to keep: a worker never reads them. */
const UNLIMITED = {
  description: '',
  maxRunning: null,
  maxRunningPerTenant: null,
  rateLimit: null,
  rateLimitPerTenant: null,
  isSinglePerSubject: false,
  retentionSeconds: null,
  enqueueRole: 'tenant_admin',
  hasLogFile: false,
  onFailure: null,
} as const;
