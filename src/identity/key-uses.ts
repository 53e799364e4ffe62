import { toError } from '../core/errors.ts';
import type { Database } from '../db/database.ts';
import { noteKeyUses } from '../db/sql/identity/note-key-uses.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Identity } from './identity.ts';

/** A key's use is written at most this often. */
const EVERY_MS = 60_000;
/** Keys that come in meanwhile are written together. */
const GATHER_MS = 1_000;
const MAX_KEYS = 10_000;

/**
 * Writes when API keys were last used: beside requests, many keys in one statement, each at most once a
 * minute.
 */
export class KeyUses {
  readonly #db: Database;
  readonly #log: Logger;
  /** When the use of each was last noted, by the clock that never goes back. */
  readonly #notedMs = new Map<string, number>();
  #waiting = new Map<string, Date>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(db: Database, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  /** Notes that somebody has come in with a credential; of what is no API key nothing. Costs no statement. */
  note({ credential: { subject, credentialId, grant } }: Pick<Identity, 'credential'>): void {
    if (subject !== null || grant !== undefined || credentialId === null) return;
    const nowMs = performance.now();
    const notedMs = this.#notedMs.get(credentialId);
    if (notedMs !== undefined && nowMs - notedMs < EVERY_MS) return;
    if (this.#notedMs.size >= MAX_KEYS) this.#notedMs.clear();
    this.#notedMs.set(credentialId, nowMs);
    this.#waiting.set(credentialId, new Date());
    this.#timer ??= setTimeout(() => this.#write(), GATHER_MS).unref();
  }

  /** Writes what waits; no use is noted any more afterwards. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#write();
    await this.#writing;
  }

  #write(): void {
    this.#timer = undefined;
    const uses = [...this.#waiting];
    this.#waiting = new Map();
    if (uses.length === 0) return;
    this.#writing = this.#db
      .asWorker(noteKeyUses, [uses.map(([id]) => id), uses.map(([, at]) => at.toISOString())])
      .then(
        () => undefined,
        // A minute later it is noted again: nobody waits for it.
        (error: unknown) => this.#log.debug({ err: toError(error) }, 'identity: uses of keys were not noted'),
      );
  }
}
