import { toError } from '../../src/core/errors.ts';
import type { ClaimedJob, LaneCursor, WorkerQueue } from '../../src/core/queue.ts';
import { backoffMs } from '../../src/db/backoff.ts';
import type { Database } from '../../src/db/database.ts';
import { createOutageLog, type OutageLog } from '../../src/db/outage-log.ts';
import { verdictOf } from '../../src/db/retryable.ts';
import { handBackUnknownClaims } from '../../src/db/sql/worker/hand-back-unknown-claims.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import type { Runs } from './runs.ts';
import type { Wakeup } from './wakeup.ts';

export interface ClaimerDeps {
  readonly queue: WorkerQueue;
  readonly database: Database;
  readonly runs: Runs;
  readonly wakeup: Wakeup;
  readonly workerId: string;
  readonly definitionIds: readonly string[];
  /** How long an idle worker waits for a bell before it looks by itself. */
  readonly pollMs: number;
  readonly log: Logger;
  /** Takes over what was claimed; must take the slots before it returns. */
  readonly onClaimed: (jobs: readonly ClaimedJob[]) => void;
}

/** What one claim may return. */
const MAX_CLAIM = 500;
/** A backend that was cut off may still commit its claim a little later: look a second time. */
const SECOND_LOOK_MS = 5_000;

/** Claims as many jobs as there are free slots, as soon as there are both. */
export class Claimer {
  readonly #deps: ClaimerDeps;
  readonly #stopping = new AbortController();
  readonly #outages: OutageLog;
  #cursor: LaneCursor | null = null;
  /** Times at which to look for claims whose answers were lost. */
  #looksDueMs: number[] = [];
  #running: Promise<void> = Promise.resolve();

  constructor(deps: ClaimerDeps) {
    this.#deps = deps;
    this.#outages = createOutageLog(deps.log, 'claim');
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Claims nothing more; resolves when no claim is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#deps.wakeup.ring();
    await this.#running;
    // What a lost answer claimed would otherwise count as lost leases when this process is gone.
    await this.#handBackUnknown(this.#looksDueMs).catch((error) => this.#failed(toError(error)));
  }

  async #run(): Promise<void> {
    const { runs, wakeup, pollMs } = this.#deps;
    const { signal } = this.#stopping;
    let failures = 0;
    while (!signal.aborted) {
      await runs.until(() => runs.freeSlots > 0, signal);
      if (signal.aborted) return;
      const rings = wakeup.rings;
      try {
        await this.#handBackUnknown();
        const found = await this.#claim();
        this.#outages.recovered();
        failures = 0;
        // Between nine and eleven tenths, so that idle workers do not poll in step.
        if (!found) await wakeup.wait(rings, pollMs * (0.9 + Math.random() / 5));
      } catch (error) {
        failures++;
        this.#failed(toError(error));
        await wakeup.wait(rings, Math.min(2_000, backoffMs(failures)));
      }
    }
  }

  async #claim(): Promise<boolean> {
    const { queue, runs, workerId, definitionIds } = this.#deps;
    const { jobs, cursor } = await queue.claim({
      workerId,
      definitionIds,
      limit: Math.min(runs.freeSlots, MAX_CLAIM),
      after: this.#cursor,
    });
    this.#cursor = cursor ?? this.#cursor;
    if (jobs.length > 0) this.#deps.onClaimed(jobs);
    return jobs.length > 0;
  }

  #failed(error: Error): void {
    if (verdictOf(error) === 'fatal') this.#deps.log.error({ err: error }, 'claim: failed, trying again');
    else this.#outages.failed(error);
    const nowMs = performance.now();
    this.#looksDueMs = [nowMs, nowMs + SECOND_LOOK_MS];
  }

  /**
   * A claim that failed may have been committed all the same. Those jobs run under our name without our knowledge; left
   * alone they would count as lost leases.
   */
  async #handBackUnknown(
    due = this.#looksDueMs.filter((dueMs) => dueMs <= performance.now()),
  ): Promise<void> {
    if (due.length === 0) return;
    const { database, runs, workerId, log } = this.#deps;
    const known = runs.open().map((run) => run.claimed.lease);
    const { rowCount } = await database.asWorker(handBackUnknownClaims, [
      workerId,
      known.map((lease) => lease.jobId),
      known.map((lease) => lease.runNo),
    ]);
    this.#looksDueMs = this.#looksDueMs.filter((dueMs) => !due.includes(dueMs));
    if ((rowCount ?? 0) > 0)
      log.info({ jobs: rowCount }, 'claim: handed back jobs whose claim had got no answer');
  }
}
