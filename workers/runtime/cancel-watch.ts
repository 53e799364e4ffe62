import { toError } from '../../src/core/errors.ts';
import type { Lease } from '../../src/core/queue.ts';
import type { RunRecords } from '../../src/core/run-records.ts';
import { canceledRun } from '../../src/runs/abort-reason.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import type { Runs } from './runs.ts';
import { WhileRunning } from './while-running.ts';

/** A running job notices its cancel within a second even when no notification gets through. */
const LOOK_EVERY_MS = 400;

/**
 * Looks whether the runs of this process are still wanted: woken by the cancel notification, and several
 * times a second by itself while anything runs. It also finds leases that somebody else has by now, long
 * before the next heartbeat would.
 */
export class CancelWatch {
  readonly #queue: Pick<RunRecords, 'leaseStates'>;
  readonly #runs: Runs;
  readonly #log: Logger;
  readonly #watching: WhileRunning;
  #looking: Promise<void> | undefined;
  #again = false;

  constructor(queue: Pick<RunRecords, 'leaseStates'>, runs: Runs, log: Logger) {
    this.#queue = queue;
    this.#runs = runs;
    this.#log = log;
    this.#watching = new WhileRunning(runs, LOOK_EVERY_MS, () => this.look());
  }

  /** Looks from now on, for as long as anything runs here. */
  start(): void {
    this.#watching.start();
  }

  /** Looks now; notified while it looks, it looks again. */
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
    const [state] = await this.#queue.leaseStates([lease]);
    return state?.cancelReason ?? null;
  }

  async stop(): Promise<void> {
    this.#watching.stop();
    this.#again = false;
    await this.#looking;
  }

  async #look(): Promise<void> {
    const runs = [...this.#runs.open()].filter((run) => run.phase !== 'settling' && !run.lost);
    if (runs.length === 0) return;
    try {
      const states = await this.#queue.leaseStates(runs.map((run) => run.claimed.lease));
      const byId = new Map(states.map((state) => [state.jobId, state]));
      for (const run of runs) {
        const state = byId.get(run.claimed.lease.jobId);
        if (state === undefined) run.lose();
        else if (state.isCancelRequested) run.abort(canceledRun(state.cancelReason));
      }
    } catch (error) {
      // The claim loop and the heartbeats speak of outages; this one only tries again.
      this.#log.debug({ reason: toError(error).message }, 'cancel watch: no answer');
    }
  }
}
