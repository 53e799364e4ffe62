import type { WatchedCredential } from './watched-credential.ts';

/**
 * Credentials looked at in one statement: some 5 ms of this process's time, and no stream waits for longer.
 */
const CHUNK_SIZE = 500;

/**
 * Which credentials are to be looked at again, and in which order: those of tenants that a notification named
 * come before the regular round. One look at a time; what a notification names during one is looked at after
 * it, even if it is in it.
 */
export class RecheckQueue {
  readonly #credentials: ReadonlyMap<string, WatchedCredential>;
  readonly #recheck: (credentials: readonly WatchedCredential[]) => Promise<void>;
  readonly #tenantIds = new Set<string>();
  readonly #urgent = new Set<WatchedCredential>();
  readonly #round = new Set<WatchedCredential>();
  #isRunning = false;

  /** @param recheck must not reject */
  constructor(
    credentials: ReadonlyMap<string, WatchedCredential>,
    recheck: (credentials: readonly WatchedCredential[]) => Promise<void>,
  ) {
    this.#credentials = credentials;
    this.#recheck = recheck;
  }

  /** A round over all of them, unless one is under way. */
  addAll(): void {
    if (this.#round.size === 0)
      for (const credential of this.#credentials.values()) this.#round.add(credential);
    this.#start();
  }

  /** Those that the tenant's rows decide over, before anything else. */
  addTenant(tenantId: string): void {
    this.#tenantIds.add(tenantId);
    this.#start();
  }

  #start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    // After this turn: what a transaction changed row by row notifies several times at once.
    await Promise.resolve();
    for (let chunk = this.#next(); chunk.length > 0; chunk = this.#next()) await this.#recheck(chunk);
    this.#isRunning = false;
  }

  #next(): readonly WatchedCredential[] {
    if (this.#tenantIds.size > 0) {
      for (const credential of this.#credentials.values()) {
        if (credential.isOfAny(this.#tenantIds)) this.#urgent.add(credential);
      }
      this.#tenantIds.clear();
    }
    const urgent = take(this.#urgent);
    return urgent.length > 0 ? urgent : take(this.#round);
  }
}

function take(from: Set<WatchedCredential>): readonly WatchedCredential[] {
  const chunk: WatchedCredential[] = [];
  for (const credential of from) {
    if (chunk.length === CHUNK_SIZE) break;
    from.delete(credential);
    // Nobody watches it any more.
    if (credential.watchers.size > 0) chunk.push(credential);
  }
  return chunk;
}
