import { Worker } from 'node:worker_threads';
import type { Logger } from '../../src/telemetry/log.ts';
import type { WorkerMetrics } from '../../src/telemetry/worker-metrics.ts';
import type { HeartbeatNews, HeartbeatOrder, HeartbeatSetup } from './heartbeat-messages.ts';
import { leaseBatchesOf } from './lease-batch.ts';
import type { Run } from './run.ts';
import { SharedLeaseTable } from './shared-lease-table.ts';

export interface LeasesDeps {
  /** The thread's module. */
  readonly entry: URL;
  readonly setup: Omit<HeartbeatSetup, 'pulse' | 'places'>;
  /** Leases that are held at a time, at most. */
  readonly maxHeld: number;
  /** The runs that are not settled: a thread that is started again gets those that hold a lease. */
  readonly open: () => Iterable<Run>;
  readonly log: Logger;
  readonly metrics: WorkerMetrics | undefined;
  readonly onLost: (key: string) => void;
  readonly onCancelRequested: (key: string) => void;
}

const PULSE_MS = 500;
/** How long a stop waits for the thread to sign off before it is ended without. */
const CLOSE_TIMEOUT_MS = 5_000;

/**
 * The main thread's side of the heartbeats: says which leases to renew, hears which are lost. The thread
 * itself is started again, with everything it must know, should it ever die.
 */
export class Leases {
  readonly #deps: LeasesDeps;
  readonly #pulse = new Int32Array(new SharedArrayBuffer(4));
  readonly #table: SharedLeaseTable;
  readonly #ready = Promise.withResolvers<void>();
  readonly #pulseTimer: NodeJS.Timeout;
  #thread: Worker;
  #alive = false;
  #closing = false;
  #stopping = false;

  constructor(deps: LeasesDeps) {
    this.#deps = deps;
    this.#table = new SharedLeaseTable(deps.maxHeld);
    this.#pulseTimer = setInterval(() => Atomics.add(this.#pulse, 0, 1), PULSE_MS);
    this.#thread = this.#startThread();
  }

  /**
   * Resolves when the thread is up. Claim nothing before: loading its modules takes as long as a short lease
   * on a busy machine.
   */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /**
   * Renews these leases from now on. To be called before any of their handlers: one may block this loop at
   * once.
   */
  hold(runs: readonly Run[]): void {
    for (const run of runs) run.leasePlace = this.#table.take();
    this.#send({ kind: 'hold', batches: leaseBatchesOf(runs) });
  }

  /** The handler is called now: its deadline counts from here. */
  begin(run: Run): void {
    if (run.leasePlace !== undefined) this.#table.begin(run.leasePlace);
  }

  /** Renews it no more. */
  release(run: Run): void {
    if (run.leasePlace === undefined) return;
    this.#table.release(run.leasePlace);
    run.leasePlace = undefined;
  }

  stopping(): void {
    this.#stopping = true;
    this.#send({ kind: 'stopping' });
  }

  /** Removes the worker's row and ends the thread. */
  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    this.#ready.resolve();
    clearInterval(this.#pulseTimer);
    if (!this.#alive) return;
    const ended = new Promise<void>((resolve) => this.#thread.once('exit', () => resolve()));
    this.#send({ kind: 'close' });
    const timer = setTimeout(() => void this.#thread.terminate(), CLOSE_TIMEOUT_MS);
    await ended;
    clearTimeout(timer);
  }

  #send(order: HeartbeatOrder): void {
    this.#thread.postMessage(order);
  }

  #startThread(): Worker {
    const setup: HeartbeatSetup = { ...this.#deps.setup, pulse: this.#pulse, places: this.#table.places };
    const thread = new Worker(this.#deps.entry, {
      workerData: setup,
      // It holds a few thousand small objects; without a bound its young generation alone takes 50 MB.
      resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 256 },
    });
    this.#alive = true;
    thread.on('message', (news: HeartbeatNews) => {
      if (news.kind === 'ready') return this.#ready.resolve();
      if (news.kind === 'renewed') return this.#deps.metrics?.leasesRenewed(news.count);
      this.#deps.metrics?.leasesLost(news.lost.length);
      for (const key of news.lost) this.#deps.onLost(key);
      for (const key of news.cancelRequested) this.#deps.onCancelRequested(key);
    });
    thread.on('error', (error) => this.#deps.log.error({ err: error }, 'heartbeat: the thread failed'));
    thread.on('exit', () => {
      this.#alive = false;
      if (this.#closing) return;
      this.#deps.log.error('heartbeat: the thread ended; starting another');
      setTimeout(() => this.#restart(), PULSE_MS);
    });
    return thread;
  }

  #restart(): void {
    if (this.#closing) return;
    this.#thread = this.#startThread();
    const held = [...this.#deps.open()].filter((run) => run.leasePlace !== undefined);
    this.#send({ kind: 'hold', batches: leaseBatchesOf(held) });
    if (this.#stopping) this.#send({ kind: 'stopping' });
  }
}
