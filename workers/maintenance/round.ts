import { toError } from '../../src/core/errors.ts';
import type { WorkerQueue } from '../../src/core/queue.ts';
import { backoffMs } from '../../src/db/backoff.ts';
import type { Database } from '../../src/db/database.ts';
import { createOutageLog, type OutageLog } from '../../src/db/outage-log.ts';
import { verdictOf } from '../../src/db/retryable.ts';
import { tryMaintenanceLock } from '../../src/db/sql/maintenance/try-maintenance-lock.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import { pruneTombstoneRows, pruneWorkerRows } from './pruner.ts';
import { rescue } from './rescuer.ts';

export interface MaintenanceDeps {
  readonly database: Database;
  readonly queue: WorkerQueue;
  readonly log: Logger;
}

export interface MaintenanceOptions {
  /** Between two rounds; 1,000 by default. */
  readonly everyMs?: number;
}

export interface Maintenance {
  /** Resolves when no round is under way; starts none afterwards. */
  stop(): Promise<void>;
}

const PRUNE_EVERY_MS = 60_000;
const STALL_ROUNDS = 3;
const STALL_MS = 3_000;

/**
 * Looks after the queue: ended leases go back, rows that nobody needs any more are removed. Any number of processes may
 * run it; one at a time does a round.
 */
export function startMaintenance(deps: MaintenanceDeps, options: MaintenanceOptions = {}): Maintenance {
  return new Rounds(deps, options.everyMs ?? 1_000);
}

class Rounds implements Maintenance {
  readonly #deps: MaintenanceDeps;
  readonly #everyMs: number;
  readonly #outages: OutageLog;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void>;
  #stopped = false;
  #failures = 0;
  /** Since when this process has had the database without a break: it knows of none before its own start. */
  #backSinceMs = performance.now();
  #lastGoodMs = performance.now();
  #prunedMs = Number.NEGATIVE_INFINITY;

  constructor(deps: MaintenanceDeps, everyMs: number) {
    this.#deps = deps;
    this.#everyMs = everyMs;
    this.#outages = createOutageLog(deps.log, 'maintenance');
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      await this.#round();
      const nowMs = performance.now();
      // A stall raises no error: the answer just comes late, to everybody's heartbeat as well.
      const stalled = nowMs - this.#lastGoodMs > Math.max(STALL_ROUNDS * this.#everyMs, STALL_MS);
      if (this.#failures > 0 || stalled) this.#backSinceMs = nowMs;
      this.#lastGoodMs = nowMs;
      this.#failures = 0;
      this.#outages.recovered();
    } catch (thrown) {
      const error = toError(thrown);
      this.#failures++;
      if (verdictOf(error) === 'fatal') this.#deps.log.error({ err: error }, 'maintenance: a round failed');
      else this.#outages.failed(error);
    }
    if (this.#stopped) return;
    const waitMs = Math.max(this.#everyMs, this.#failures > 0 ? backoffMs(this.#failures) : 0);
    this.#timer = setTimeout(() => {
      this.#running = this.#run();
    }, waitMs);
  }

  /** Under a lock that ends with the transaction: a leader that dies or is cut off is followed by another at once. */
  async #round(): Promise<void> {
    const { database } = this.#deps;
    // A first answer after failures ends the outage before anything is judged by the age of its lease.
    if (this.#failures > 0) {
      await database.ping();
      return;
    }
    await database.transaction({ role: 'worker' }, async (tx) => {
      const { rows } = await tx.query<{ taken: boolean }>(tryMaintenanceLock, []);
      if (rows[0]?.taken !== true) return;
      await rescue({ ...this.#deps, everyMs: this.#everyMs, knownUpSeconds: this.#knownUpSeconds() });
      if (performance.now() - this.#prunedMs < PRUNE_EVERY_MS) return;
      this.#prunedMs = performance.now();
      await pruneWorkerRows(this.#deps);
      await pruneTombstoneRows(this.#deps);
    });
  }

  #knownUpSeconds(): number {
    return (performance.now() - this.#backSinceMs) / 1000;
  }
}
