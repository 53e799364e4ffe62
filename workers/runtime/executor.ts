import { toError } from '../../src/core/errors.ts';
import type { Finish, FinishListener, FinishResult, RunMeasure } from '../../src/core/queue.ts';
import { maskFinish } from '../../src/runs/mask-finish.ts';
import { type Ended, finishOf } from '../../src/runs/normalise.ts';
import type { PayloadCheck } from '../../src/runs/payload-check.ts';
import { finishWithoutRunning } from '../../src/runs/preflight.ts';
import type { Handler } from '../handler.ts';
import type { Registry } from '../registry.ts';
import { type ContextDeps, RunContext } from './context.ts';
import { Grace, type GraceDeps } from './grace.ts';
import type { Leases } from './leases.ts';
import { logCompletion } from './log-completion.ts';
import type { LogFiles } from './log-files.ts';
import { logOfRun } from './log-of-run.ts';
import { noteStartAtMs } from './note-start.ts';
import type { Run } from './run.ts';
import { runScope } from './run-scope.ts';
import type { RunTimer } from './run-timer.ts';
import { retrySettle, type SettleDeps, settle } from './settle.ts';

export interface ExecutorDeps extends ContextDeps, SettleDeps, GraceDeps {
  readonly registry: Registry;
  readonly payloads: PayloadCheck;
  readonly leases: Leases;
  readonly deadlines: RunTimer;
  readonly startNotes: RunTimer;
  /** A number in [0, 1). */
  readonly random: () => number;
  /**
   * Called once a run, when its handler has really ended (which for one that was given up may be never) or is
   * not called at all; before its end is written, so that its slot need not wait for that.
   * @param wallMs null when the handler was not called
   */
  readonly onHandlerEnded: (run: Run, wallMs: number | null) => void;
  /** Called once a run: how it was settled; null when there was nothing to write. */
  readonly onSettled: (run: Run, finish: Finish | null) => void;
  /** A fault of ours, and not of the handler: called once, in the place of `onSettled`. */
  readonly onBroken: (run: Run, error: Error) => void;
  /** Absent where nobody wants files. */
  readonly logFiles?: LogFiles;
}

const { then: promiseThen } = Promise.prototype;

/** Runs one claimed job until it is settled. Never throws: whatever goes wrong is how the run ended. */
export function execute(run: Run, deps: ExecutorDeps): void {
  new Execution(run, deps).start();
}

/**
 * The steps of one run. They call each other, and wait only where there is something to wait for: as async
 * functions that await one another, promises that had to be made and cleared away cost a small job's worker
 * about as much as all the rest.
 */
class Execution implements FinishListener {
  readonly #run: Run;
  readonly #deps: ExecutorDeps;
  #context: RunContext | undefined;
  #startedMs = 0;
  #grace: Grace | undefined;
  #isAbandoned = false;
  #isFree = false;
  /** What is being written. */
  #finish: Finish | undefined;
  #measure: RunMeasure | undefined;

  constructor(run: Run, deps: ExecutorDeps) {
    this.#run = run;
    this.#deps = deps;
  }

  start(): void {
    const run = this.#run;
    try {
      const early = finishWithoutRunning(run.claimed) ?? finishBeforeStart(run);
      if (early === null && !run.lost) this.#prepare();
      else this.#endEarly(early);
    } catch (error) {
      this.#broke(error);
    }
  }

  #endEarly(finish: Finish | null): void {
    const run = this.#run;
    this.#free(null);
    if (finish === null || run.lost) this.#deps.onSettled(run, null);
    else this.#settle(finish);
  }

  /** The run was asked to stop: its handler has a grace to end in. */
  onAbort(): void {
    this.#grace = new Grace(this.#deps, () => this.#abandon());
  }

  /** Payload first: a job that can never run should not wait for modules to load. */
  #prepare(): void {
    const { registry, payloads } = this.#deps;
    const { claimed, definition } = this.#run;
    // A job whose handler cannot be called spends its attempts too, or it would be tried forever.
    this.#run.begin();
    let payload: unknown;
    try {
      payload = payloads.parse(definition, claimed.job.payload, claimed.job.tenantId);
      this.#run.payload = payload;
    } catch (error) {
      this.#cannotCall(error);
      return;
    }
    const handler = registry.loaded(claimed.definitionKey);
    if (handler !== undefined) {
      this.#call(handler, payload);
      return;
    }
    registry
      .load(claimed.definitionKey)
      .then(
        // Those that waited for the same modules go on all at once, where each is to see what the one before
        // has left.
        (loaded) =>
          this.#deps.logs.whenRoom(
            () => this.#call(loaded, payload),
            (error) => this.#broke(error),
          ),
        (error: unknown) => this.#cannotCall(error),
      )
      .catch((error: unknown) => this.#broke(error));
  }

  #cannotCall(error: unknown): void {
    this.#free(null);
    this.#conclude({ kind: 'threw', error: toError(error) });
  }

  /** Calls the handler under its timeout. */
  #call(handler: Handler, payload: unknown): void {
    const run = this.#run;
    const { deadlines, startNotes, leases } = this.#deps;
    this.#startedMs = performance.now();
    deadlines.set(run, this.#startedMs + run.claimed.timeoutSeconds * 1000);
    if (run.aborted !== null) {
      this.#ended({ kind: 'threw', error: run.aborted });
      return;
    }
    run.abortListener = this;
    leases.begin(run);
    startNotes.set(run, noteStartAtMs(run, this.#startedMs));
    this.#context = new RunContext(run, payload, this.#deps);
    let returned: ReturnType<Handler>;
    try {
      returned = runScope.run(run, handler, this.#context);
    } catch (error) {
      this.#ended({ kind: 'threw', error: toError(error) });
      return;
    }
    // A user's function may return a thenable whose `then` throws or calls back twice; `await` copes.
    void promiseThen.call(
      Promise.resolve(returned),
      (outcome) => this.#ended({ kind: 'returned', outcome }),
      (error: unknown) => this.#ended({ kind: 'threw', error: toError(error) }),
    );
  }

  /** Clears up after the handler, whenever it ends. Does not throw. */
  #ended(ended: Exclude<Ended, { kind: 'abandoned' }>): void {
    this.#deps.deadlines.clear(this.#run);
    this.#deps.startNotes.clear(this.#run);
    const wallMs = performance.now() - this.#startedMs;
    const releasing = this.#context?.release();
    if (releasing === undefined) this.#ready(ended, wallMs);
    else
      void releasing
        .catch((error: unknown) => this.#log.warn({ err: toError(error) }, 'run: could not clear up'))
        .then(() => this.#ready(ended, wallMs));
  }

  #ready(ended: Ended, wallMs: number): void {
    this.#run.abortListener = undefined;
    this.#grace?.end();
    try {
      this.#free(wallMs);
      if (this.#isAbandoned) this.#log.warn('run: the handler that was given up has ended; its slot is free');
      else this.#conclude(ended);
    } catch (error) {
      this.#broke(error);
    }
  }

  /** The slot stays taken until it really ends, see `Runs`; nothing that it still writes passes the fence. */
  #abandon(): void {
    this.#isAbandoned = true;
    this.#log.error(
      { reason: this.#run.aborted?.name },
      'run: the handler ignores its signal; it is given up, its slot stays taken',
    );
    try {
      this.#conclude({ kind: 'abandoned' });
    } catch (error) {
      this.#broke(error);
    }
  }

  /** Its last words first: the settlement takes the lease away that they are written under. */
  #conclude(ended: Ended): void {
    const noting = this.#deps.progress.finish(this.#run);
    if (noting === undefined) this.#storeLog(ended);
    else this.#after(noting, () => this.#storeLog(ended));
  }

  #storeLog(ended: Ended): void {
    const storing = this.#deps.logs.finish(this.#run);
    if (storing === undefined) this.#judge(ended);
    else this.#after(storing, () => this.#judge(ended));
  }

  #judge(ended: Ended): void {
    const run = this.#run;
    const finish = finishOf({
      ended,
      aborted: run.aborted,
      lost: run.lost,
      job: run.claimed.job,
      definition: run.definition,
      heldMs: performance.now() - run.claimedAtMs,
      random: this.#deps.random(),
    });
    if (finish === null) {
      this.#log.warn('run: the lease was lost; the worker that has the job now settles it');
      this.#deps.onSettled(run, null);
    } else {
      this.#settle(maskFinish(run, finish));
    }
  }

  #settle(finish: Finish): void {
    this.#finish = finish;
    this.#measure = this.#run.measure();
    settle(this.#run, finish, this.#measure, this.#deps, this);
  }

  finished(result: FinishResult): void {
    if (result === 'settled') this.#settled();
    else this.#retrySettle(Promise.resolve(result));
  }

  failed(error: unknown): void {
    this.#retrySettle(Promise.reject(error));
  }

  #retrySettle(answer: Promise<FinishResult>): void {
    const written = retrySettle(
      this.#run,
      this.#finish as Finish,
      this.#measure as RunMeasure,
      answer,
      this.#deps,
    );
    this.#after(written, (result) => {
      if (result === 'settled') this.#settled();
      else this.#deps.onSettled(this.#run, null);
    });
  }

  #settled(): void {
    try {
      const finish = this.#finish as Finish;
      logCompletion(this.#run, finish, this.#measure as RunMeasure, this.#deps);
      this.#deps.onSettled(this.#run, finish);
    } catch (error) {
      this.#broke(error);
    }
  }

  #after<T>(waited: Promise<T>, step: (value: T) => void): void {
    waited.then(step).catch((error: unknown) => this.#broke(error));
  }

  /** Its handler has ended, or is not called: once. */
  #free(wallMs: number | null): void {
    if (this.#isFree) return;
    this.#isFree = true;
    this.#deps.onHandlerEnded(this.#run, wallMs);
  }

  #broke(error: unknown): void {
    // One that was given up keeps its slot until it really ends.
    if (!this.#isAbandoned) this.#free(null);
    this.#deps.onBroken(this.#run, toError(error));
  }

  get #log(): ReturnType<typeof logOfRun> {
    return logOfRun(this.#run, this.#deps.log);
  }
}

/** asked to stop, or given up waiting, before it had a slot: handed back or canceled without having run. */
function finishBeforeStart({ aborted }: Run): Finish | null {
  if (aborted?.kind === 'canceled')
    return { kind: 'final', settlement: { status: 'canceled', reason: aborted.message } };
  return aborted?.kind === 'shuttingDown' || aborted?.kind === 'notBegun' ? { kind: 'handBack' } : null;
}
