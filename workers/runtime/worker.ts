import { hostname } from 'node:os';
import type { Job } from '../../src/core/job.ts';
import type { ClaimedJob, WorkerQueue } from '../../src/core/queue.ts';
import type { Bell } from '../../src/db/bell.ts';
import { CANCEL_CHANNEL, WORK_CHANNEL } from '../../src/db/channels.ts';
import type { Database } from '../../src/db/database.ts';
import type { Listener } from '../../src/db/listener.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import type { ArtifactLookup } from '../handler.ts';
import type { Registry } from '../registry.ts';
import { shuttingDownRun } from './abort-reason.ts';
import { CancelWatch } from './cancel-watch.ts';
import { Claimer } from './claimer.ts';
import { type ExecutorDeps, execute, type RunTools } from './executor.ts';
import type { HeartbeatSetup, ThreadDatabase } from './heartbeat-messages.ts';
import { Leases } from './leases.ts';
import { createPayloadCheck } from './payload-check.ts';
import { ProgressBoard } from './progress-board.ts';
import { Run } from './run.ts';
import { Runs } from './runs.ts';
import { Wakeup } from './wakeup.ts';
import { newWorkerId } from './worker-id.ts';

export interface WorkerDeps {
  readonly database: Database;
  readonly queue: WorkerQueue;
  /** Listens on the work and the cancel channel; whoever made it starts and stops it. */
  readonly listener: Listener;
  readonly bell: Bell;
  readonly registry: Registry;
  /** Ids of the definitions to claim for (see `syncDefinitions`). */
  readonly definitionIds: readonly string[];
  readonly toolsFor: (claimed: ClaimedJob) => RunTools;
  readonly artifactsOf: (job: Job) => ArtifactLookup;
  /** For the heartbeat thread, which has connections and a logger of its own. */
  readonly threadDatabase: ThreadDatabase;
  readonly threadLog: HeartbeatSetup['log'];
  readonly log: Logger;
}

export interface WorkerOptions {
  /** Jobs at a time. */
  readonly concurrency: number;
  /** How long a stop lets running jobs go on. */
  readonly shutdownSeconds: number;
  readonly version?: string;
  /** The guard ends the process when a handler blocks the event loop beyond its deadline. True by default. */
  readonly exitWhenBlocked?: boolean;
  /** 10,000 by default. */
  readonly blockedAfterMs?: number;
  /** How long a handler that was told to stop may take before it is given up; 10,000 by default. */
  readonly abandonGraceMs?: number;
  /** How long an idle worker waits for a bell before it looks by itself; 500 by default. */
  readonly pollMs?: number;
  readonly random?: () => number;
}

export interface RunningWorker {
  readonly workerId: string;
  /** Runs that are not settled. */
  readonly runningCount: number;
  /**
   * No more claims; what has not begun is handed back at once; running jobs go on for `graceSeconds` (the options'
   * `shutdownSeconds` by default), are then told to stop, and are handed back with their attempt unspent. Called again, a
   * shorter grace takes effect. Resolves when all is settled and the worker's row is gone.
   */
  stop(graceSeconds?: number): Promise<void>;
  /** The same without any grace: what does not end within half a second is handed back while it still runs. */
  stopNow(): Promise<void>;
}

/** Starts a worker in this process: it claims and runs jobs until it is stopped. */
export async function startWorker(deps: WorkerDeps, options: WorkerOptions): Promise<RunningWorker> {
  const runtime = new Runtime(deps, options);
  await runtime.start();
  return runtime;
}

/** After the handlers were told to stop at shutdown, how long the database may take to store how they ended. */
const LAST_SETTLE_MS = 5_000;

class Runtime implements RunningWorker {
  readonly workerId = newWorkerId();
  readonly #deps: WorkerDeps;
  readonly #options: WorkerOptions;
  readonly #log: Logger;
  readonly #runs: Runs;
  readonly #wakeup = new Wakeup();
  readonly #progress: ProgressBoard;
  readonly #cancelWatch: CancelWatch;
  readonly #leases: Leases;
  readonly #claimer: Claimer;
  readonly #executor: ExecutorDeps;
  readonly #hurry = new AbortController();
  readonly #giveUp = new AbortController();
  readonly #unsubscribe: readonly (() => void)[];
  #stopTimer: NodeJS.Timeout | undefined;
  #stopAtMs = Number.POSITIVE_INFINITY;
  #stopped: Promise<void> | undefined;

  constructor(deps: WorkerDeps, options: WorkerOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#log = deps.log.child({ worker_id: this.workerId });
    this.#runs = new Runs(options.concurrency);
    this.#progress = new ProgressBoard(deps.database, deps.bell, this.#log);
    this.#cancelWatch = new CancelWatch(deps.database, this.#runs, this.#log);
    this.#leases = new Leases({
      setup: this.#heartbeatSetup(),
      log: this.#log,
      onLost: (key) => this.#runs.byKey(key)?.lose(),
      // The watch knows the reason that was given; the heartbeat only knows that there is one.
      onCancelRequested: () => this.#cancelWatch.look(),
    });
    this.#executor = {
      ...deps,
      log: this.#log,
      leases: this.#leases,
      progress: this.#progress,
      payloads: createPayloadCheck(),
      abandonGraceMs: options.abandonGraceMs ?? 10_000,
      random: options.random ?? Math.random,
      cancelReasonOf: (run) => this.#cancelWatch.reasonOf(run.claimed.lease),
      hurry: this.#hurry.signal,
      giveUp: this.#giveUp.signal,
    };
    this.#claimer = new Claimer({
      ...deps,
      log: this.#log,
      runs: this.#runs,
      wakeup: this.#wakeup,
      workerId: this.workerId,
      pollMs: options.pollMs ?? 500,
      onClaimed: (jobs) => this.#take(jobs),
    });
    this.#unsubscribe = [
      deps.listener.on(WORK_CHANNEL, () => this.#wakeup.ring()),
      deps.listener.on(CANCEL_CHANNEL, (payload) => {
        if (payload === this.workerId) this.#cancelWatch.look();
      }),
      // What was rung while the connection was away is lost.
      deps.listener.onConnect(() => {
        this.#wakeup.ring();
        this.#cancelWatch.look();
      }),
    ];
  }

  async start(): Promise<void> {
    const { registry } = this.#deps;
    await this.#leases.ready;
    this.#cancelWatch.start();
    this.#claimer.start();
    this.#log.info(
      { concurrency: this.#options.concurrency, definitions: registry.definitions.map(({ key }) => key) },
      'worker: started',
    );
  }

  get runningCount(): number {
    return this.#runs.openCount;
  }

  stop(graceSeconds: number = this.#options.shutdownSeconds): Promise<void> {
    const atMs = performance.now() + graceSeconds * 1000;
    if (atMs < this.#stopAtMs) {
      this.#stopAtMs = atMs;
      clearTimeout(this.#stopTimer);
      this.#stopTimer = setTimeout(() => this.#tellToStop(), graceSeconds * 1000);
    }
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  stopNow(): Promise<void> {
    this.#hurry.abort();
    return this.stop(0);
  }

  /** Leases first and for all of them: the first handler may block this loop as soon as it is called. */
  #take(jobs: readonly ClaimedJob[]): void {
    const runs = jobs.map((claimed) => new Run(claimed, this.#definitionOf(claimed)));
    for (const run of runs) this.#runs.add(run);
    this.#leases.hold(runs);
    const stopping = this.#stopped !== undefined;
    for (const run of runs) {
      if (stopping) run.abort(shuttingDownRun());
      void this.#execute(run);
    }
  }

  async #execute(run: Run): Promise<void> {
    // Not within the claim's own turn: a handler that computes at once would keep the others from being noted.
    await Promise.resolve();
    let handlerEnded: Promise<unknown> = Promise.resolve();
    try {
      const execution = await execute(run, this.#executor);
      handlerEnded = execution.handlerEnded;
      const { finish } = execution;
      if (finish?.kind === 'retry' || finish?.kind === 'snooze')
        this.#wakeup.ringIn(finish.delaySeconds * 1000 + 5);
    } catch (error) {
      this.#log.error(
        { err: error, job_id: run.claimed.lease.jobId },
        'worker: a run broke the runtime; its lease runs out',
      );
    }
    this.#leases.release(run);
    this.#runs.settled(run);
    await handlerEnded;
    this.#runs.freeSlot();
  }

  async #stop(): Promise<void> {
    this.#log.info({ running: this.#runs.openCount }, 'worker: stopping');
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#leases.stopping();
    for (const run of this.#runs.open()) if (run.phase === 'claimed') run.abort(shuttingDownRun());
    await this.#claimer.stop();
    await this.#runs.until(() => this.#runs.openCount === 0);
    clearTimeout(this.#stopTimer);
    this.#wakeup.close();
    this.#progress.close();
    await this.#cancelWatch.stop();
    await this.#leases.close();
    this.#log.info('worker: stopped');
  }

  #tellToStop(): void {
    for (const run of this.#runs.open()) run.abort(shuttingDownRun());
    const graceMs = (this.#hurry.signal.aborted ? 0 : this.#executor.abandonGraceMs) + LAST_SETTLE_MS;
    this.#stopTimer = setTimeout(() => this.#giveUp.abort(), graceMs);
  }

  #definitionOf(claimed: ClaimedJob): Run['definition'] {
    const definition = this.#deps.registry.definition(claimed.definitionKey);
    if (definition === undefined)
      throw new Error(`Claimed ${claimed.definitionKey}, which this worker does not know`);
    return definition;
  }

  #heartbeatSetup(): Omit<HeartbeatSetup, 'pulse'> {
    return {
      workerId: this.workerId,
      hostname: hostname(),
      pid: process.pid,
      version: this.#options.version ?? '',
      definitionKeys: this.#deps.registry.definitions.map(({ key }) => key),
      concurrency: this.#options.concurrency,
      startedAt: new Date(),
      database: this.#deps.threadDatabase,
      log: this.#deps.threadLog,
      blockedAfterMs: this.#options.blockedAfterMs ?? 10_000,
      exitWhenBlocked: this.#options.exitWhenBlocked ?? true,
    };
  }
}
