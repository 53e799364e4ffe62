import { toError } from '../../src/core/errors.ts';
import type { Lease } from '../../src/core/queue.ts';
import type { Database } from '../../src/db/database.ts';
import { findLeaseStates, type LeaseStateRow } from '../../src/db/sql/queue/find-lease-states.ts';
import { canceledRun } from '../../src/queue/runs/abort-reason.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import type { Runs } from './runs.ts';

/** A running job hears of its cancel within a second even when no notification gets through. */
const LOOK_EVERY_MS = 400;

/**
 * Looks whether the runs of this process are still wanted: woken by the cancel notification, and several times a second by itself
 * while anything runs. It also finds leases that somebody else has by now, long before the next heartbeat would.
 */
export class CancelWatch {
  readonly #database: Database;
  readonly #runs: Runs;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #again = false;

  constructor(database: Database, runs: Runs, log: Logger) {
    this.#database = database;
    this.#runs = runs;
    this.#log = log;
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS);
  }

  /** Looks now; notified while it looks, it looks once more. */
  look(): void {
    if (this.#looking !== undefined) {
      this.#again = true;
      return;
    }
    this.#looking = this.#look().finally(() => {
      this.#looking = undefined;
      if (!this.#again) return;
      this.#again = false;
      this.look();
    });
  }

  /** The reason given by the caller that asked to cancel; null when nobody asked or the lease is gone. */
  async reasonOf(lease: Lease): Promise<string | null> {
    const { rows } = await this.#database.asWorker<LeaseStateRow>(findLeaseStates, columns([lease]));
    return rows[0]?.cancel_reason ?? null;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#again = false;
    await this.#looking;
  }

  async #look(): Promise<void> {
    const runs = [...this.#runs.open()].filter((run) => run.phase !== 'settling' && !run.lost);
    if (runs.length === 0) return;
    try {
      const { rows } = await this.#database.asWorker<LeaseStateRow>(
        findLeaseStates,
        columns(runs.map((run) => run.claimed.lease)),
      );
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const run of runs) {
        const state = byId.get(run.claimed.lease.jobId);
        if (state === undefined) run.lose();
        else if (state.cancel_requested) run.abort(canceledRun(state.cancel_reason));
      }
    } catch (error) {
      // The claim loop and the heartbeats speak of outages; this one only tries again.
      this.#log.debug({ reason: toError(error).message }, 'cancel watch: no answer');
    }
  }
}

function columns(leases: readonly Lease[]): readonly [string[], number[], string[]] {
  return [
    leases.map((lease) => lease.jobId),
    leases.map((lease) => lease.runNo),
    leases.map((lease) => lease.token),
  ];
}
