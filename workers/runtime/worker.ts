import { DEFAULT_JOB_LOG_LIMITS } from '../../src/core/job-log.ts';
import type { ClaimedJob, Finish } from '../../src/core/queue.ts';
import type { TickResult } from '../../src/core/tick.ts';
import { WORK_CHANNEL } from '../../src/db/channels.ts';
import { notBegunRun, shuttingDownRun, timedOutRun } from '../../src/runs/abort-reason.ts';
import { createPayloadCheck } from '../../src/runs/payload-check.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import type { WorkerMetrics } from '../../src/telemetry/worker-metrics.ts';
import { CancelWatch } from './cancel-watch.ts';
import { Claimer, MAX_HELD_BEYOND_SLOTS } from './claimer.ts';
import { type ExecutorDeps, execute } from './executor.ts';
import { DEFAULT_ABANDON_GRACE_MS } from './grace.ts';
import { heartbeatSetupOf } from './heartbeat-setup.ts';
import { Isolation } from './isolation.ts';
import { JobLogWriter } from './job-log-writer.ts';
import { Leases } from './leases.ts';
import { listenForWork, pollMsOf } from './listen-for-work.ts';
import { notePickUps } from './note-pick-ups.ts';
import { noteStart } from './note-start.ts';
import { Pace } from './pace.ts';
import { ProgressWriter } from './progress-writer.ts';
import { type Run, runOf } from './run.ts';
import { outcomeOf } from './run-outcome.ts';
import { runTick } from './run-tick.ts';
import { RunTimer } from './run-timer.ts';
import type { RunningWorker, WorkerDeps, WorkerOptions } from './running-worker.ts';
import { Runs } from './runs.ts';
import { WakeTurns } from './wake-turns.ts';
import { Wakeup } from './wakeup.ts';
import { WhileRunning } from './while-running.ts';
import { newWorkerId } from './worker-id.ts';

/** Starts a worker in this process: it claims and runs jobs until it is stopped. */
export async function startWorker(deps: WorkerDeps, options: WorkerOptions): Promise<RunningWorker> {
  const runtime = new Runtime(deps, options);
  await runtime.start();
  return runtime;
}

/** How long storing the runs' ends may take after handlers were asked to stop at shutdown. */
const LAST_SETTLE_MS = 5_000;
/** Claimed ahead and not begun by then, a job is handed back: its slots turned out to be taken for longer. */
const MAX_WAIT_FOR_SLOT_MS = 1_000;

class Runtime implements RunningWorker {
  readonly workerId = newWorkerId();
  readonly #deps: WorkerDeps;
  readonly #options: WorkerOptions;
  readonly #log: Logger;
  readonly #metrics: WorkerMetrics | undefined;
  readonly #runs: Runs;
  readonly #pace = new Pace();
  readonly #wakeup = new Wakeup();
  readonly #progress: ProgressWriter;
  readonly #logs: JobLogWriter;
  readonly #cancelWatch: CancelWatch;
  readonly #staleWatch: WhileRunning;
  readonly #leases: Leases;
  readonly #isolation: Isolation;
  readonly #claimer: Claimer;
  readonly #turns: WakeTurns;
  readonly #deadlines: RunTimer;
  readonly #startNotes: RunTimer;
  readonly #executor: ExecutorDeps;
  readonly #forceStop = new AbortController();
  readonly #abandon = new AbortController();
  readonly #unsubscribe: readonly (() => void)[];
  #stopTimer: NodeJS.Timeout | undefined;
  #stopAtMs = Number.POSITIVE_INFINITY;
  #filling = false;
  #stopped: Promise<void> | undefined;

  constructor(deps: WorkerDeps, options: WorkerOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#log = deps.log.child({ worker_id: this.workerId });
    this.#runs = new Runs(options.concurrency);
    const open = () => this.#runs.open();
    this.#metrics = deps.metrics;
    deps.metrics?.observe({
      runningCount: () => this.#runs.openCount,
      slotCount: () => options.concurrency,
      pendingLogBytes: () => this.#logs.pendingBytes,
    });
    this.#progress = new ProgressWriter(deps.queue, deps.notifier, this.#log);
    this.#logs = new JobLogWriter({
      ...deps,
      log: this.#log,
      limits: { ...DEFAULT_JOB_LOG_LIMITS, ...options.jobLog },
      onRoom: () => {
        this.#runs.changed();
        this.#fillSlots();
      },
      abandon: this.#abandon.signal,
    });
    this.#cancelWatch = new CancelWatch(deps.queue, this.#runs, this.#log);
    this.#staleWatch = new WhileRunning(this.#runs, MAX_WAIT_FOR_SLOT_MS / 2, () =>
      this.#handBackWaiting(performance.now() - MAX_WAIT_FOR_SLOT_MS),
    );
    this.#leases = new Leases({
      entry: deps.heartbeatThread.entry,
      setup: heartbeatSetupOf(this.workerId, deps, options),
      maxHeld: options.concurrency + MAX_HELD_BEYOND_SLOTS,
      open,
      log: this.#log,
      metrics: this.#metrics,
      onLost: (key) => this.#runs.byKey(key)?.lose(),
      // The watch knows the reason that was given; the heartbeat only knows that there is one.
      onCancelRequested: () => this.#cancelWatch.look(),
    });
    this.#deadlines = new RunTimer(open, 'overMs', (run) =>
      run.abort(timedOutRun(run.claimed.timeoutSeconds)),
    );
    this.#startNotes = new RunTimer(open, 'noteStartMs', (run) => noteStart(run, deps.queue));
    this.#executor = {
      ...deps,
      log: this.#log,
      leases: this.#leases,
      deadlines: this.#deadlines,
      startNotes: this.#startNotes,
      progress: this.#progress,
      logs: this.#logs,
      payloads: createPayloadCheck(deps.secrets),
      abandonGraceMs: options.abandonGraceMs ?? DEFAULT_ABANDON_GRACE_MS,
      random: options.random ?? Math.random,
      cancelReasonOf: (run) => this.#cancelWatch.reasonOf(run.claimed.lease),
      forceStop: this.#forceStop.signal,
      abandon: this.#abandon.signal,
      onHandlerEnded: (run, wallMs) => {
        if (wallMs !== null) this.#pace.note(run.claimed.job.definitionId, wallMs);
        this.#freeSlot(run);
      },
      onSettled: (run, finish) => this.#settled(run, finish),
      onBroken: (run, error) => this.#broken(run, error),
    };
    this.#isolation = new Isolation({
      ...options.isolation,
      runs: this.#runs,
      queue: deps.queue,
      log: this.#log,
      begin: (run) => execute(run, this.#executor),
    });
    this.#claimer = new Claimer({
      ...deps,
      log: this.#log,
      metrics: this.#metrics,
      runs: this.#runs,
      isolation: this.#isolation,
      hasRoom: () => this.#logs.hasRoom,
      pace: this.#pace,
      wakeup: this.#wakeup,
      workerId: this.workerId,
      pollMs: () => pollMsOf(deps, options),
      onClaimed: (jobs) => this.#take(jobs),
      onMore: (workers) => deps.notifier.notify(WORK_CHANNEL, `/${workers}`),
    });
    this.#turns = new WakeTurns(deps.queue, this.workerId, this.#wakeup);
    this.#unsubscribe = listenForWork(deps.listener, {
      workerId: this.workerId,
      turns: this.#turns,
      wakeup: this.#wakeup,
      cancelWatch: this.#cancelWatch,
    });
  }

  async start(): Promise<void> {
    const { registry, queue } = this.#deps;
    await Promise.all([this.#leases.ready, queue.warmUp?.().catch(() => undefined)]);
    if (this.#options.claiming !== 'onTick') this.#claimer.start();
    this.#log.info(
      { concurrency: this.#options.concurrency, definitions: registry.definitions.map(({ key }) => key) },
      'worker: started',
    );
  }

  get runningCount(): number {
    return this.#runs.openCount;
  }

  lookForWork(): void {
    this.#wakeup.signal();
  }

  tick(max: number): Promise<TickResult> {
    return runTick(max, {
      runs: this.#runs,
      claimer: this.#claimer,
      take: (jobs) => this.#take(jobs),
      isStopped: () => this.#stopped !== undefined,
    });
  }

  stop(graceSeconds: number = this.#options.shutdownSeconds): Promise<void> {
    const atMs = performance.now() + graceSeconds * 1000;
    if (atMs < this.#stopAtMs) {
      this.#stopAtMs = atMs;
      clearTimeout(this.#stopTimer);
      this.#stopTimer = setTimeout(() => this.#abortRuns(), graceSeconds * 1000);
    }
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  stopNow(): Promise<void> {
    this.#forceStop.abort();
    return this.stop(0);
  }

  /** Leases first and for all of them: the first handler may block this loop as soon as it is called. */
  #take(jobs: readonly ClaimedJob[]): readonly Run[] {
    const nowMs = performance.now();
    const runs = jobs.map((claimed) => runOf(claimed, this.#deps.served, nowMs));
    // Not beside others: it may be what has killed its last worker. Without a slot of its own it goes back
    // like those.
    const hasSuspects = jobs.some(({ job }) => job.lostLeaseCount > 0);
    const suspect = hasSuspects && this.#runs.freeSlots > 0 ? Isolation.choose(runs) : undefined;
    for (const run of runs) this.#runs.add(run, run === suspect);
    this.#cancelWatch.start();
    this.#staleWatch.start();
    if (this.#metrics !== undefined) notePickUps(jobs, this.#metrics);
    this.#leases.hold(runs);
    if (hasSuspects)
      for (const { job } of jobs) if (job.lostLeaseCount > 0) this.#pace.distrust(job.definitionId);
    if (suspect !== undefined) {
      this.#handBackWaiting();
      this.#isolation.hold(suspect);
      if (this.#stopped !== undefined) suspect.abort(shuttingDownRun());
    } else if (this.#stopped !== undefined || hasSuspects) this.#handBackWaiting();
    else this.#fillSlots();
    return runs;
  }

  /** In a later turn: a handler that computes at once would keep other runs from being noted. */
  #fillSlots(): void {
    if (this.#filling) return;
    this.#filling = true;
    queueMicrotask(() => {
      this.#filling = false;
      while (this.#logs.hasRoom) {
        const run = this.#runs.next();
        if (run === undefined) break;
        execute(run, this.#executor);
      }
    });
  }

  #freeSlot(run: Run): void {
    run.handlerEnded();
    this.#runs.freeSlot(run);
    this.#fillSlots();
  }

  #broken(run: Run, err: Error): void {
    this.#log.error({ err, job_id: run.claimed.lease.jobId }, 'worker: a run broke; its lease runs out');
    this.#settled(run, null);
  }

  #settled(run: Run, finish: Finish | null): void {
    if (finish?.kind === 'retry' || finish?.kind === 'snooze')
      this.#wakeup.wakeIn(finish.delaySeconds * 1000 + 5);
    this.#leases.release(run);
    this.#runs.settled(run);
    const heldSeconds = (performance.now() - run.claimedAtMs) / 1_000;
    this.#metrics?.runEnded(run.claimed.definitionKey, outcomeOf(finish), heldSeconds);
    this.#isolation.settled(run);
    run.onSettled?.(finish);
  }

  /** Hands back what waits for a slot: all of it, or what has waited long behind slow runs. */
  #handBackWaiting(claimedBeforeMs?: number): void {
    for (const run of this.#runs.takeWaiting(claimedBeforeMs)) {
      run.abort(this.#stopped === undefined ? notBegunRun() : shuttingDownRun());
      execute(run, this.#executor);
    }
  }

  async #stop(): Promise<void> {
    this.#log.info({ running: this.#runs.openCount }, 'worker: stopping');
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#leases.stopping();
    for (const run of this.#runs.open()) if (run.phase === 'claimed') run.abort(shuttingDownRun());
    this.#handBackWaiting();
    await this.#claimer.stop();
    await this.#runs.until(() => this.#runs.openCount === 0);
    clearTimeout(this.#stopTimer);
    this.#staleWatch.stop();
    const parts = [this.#turns, this.#wakeup, this.#deadlines, this.#startNotes, this.#progress, this.#logs];
    for (const part of parts) part.close();
    await this.#cancelWatch.stop();
    await this.#leases.close();
    this.#log.info('worker: stopped');
  }

  #abortRuns(): void {
    for (const run of this.#runs.open()) run.abort(shuttingDownRun());
    const graceMs = (this.#forceStop.signal.aborted ? 0 : this.#executor.abandonGraceMs) + LAST_SETTLE_MS;
    this.#stopTimer = setTimeout(() => this.#abandon.abort(), graceMs);
  }
}
