import type { WorkerQueue } from '../../src/core/queue.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import { logOfRun } from './log-of-run.ts';
import type { Run } from './run.ts';
import type { Runs } from './runs.ts';

export interface IsolationDeps {
  readonly runs: Runs;
  readonly queue: Pick<WorkerQueue, 'start' | 'putOffStart'>;
  readonly log: Logger;
  /** Begins a run that has its slot, or ends one that was asked to stop. */
  readonly begin: (run: Run) => void;
  /**
   * How long a suspect of one loss waits for the others, and then has the worker for itself; 10,000 and
   * 30,000 by default.
   */
  readonly waitMs?: number;
  readonly aloneMs?: number;
}

const WAIT_MS = 10_000;
const ALONE_MS = 30_000;
/**
 * Lost leases in a row from which on a run is alone from its beginning to its end, however long others take.
 */
const STRICT_FROM = 2;

/**
 * Runs suspects alone: jobs whose last run was lost with its worker. Which of the runs that a worker had has
 * taken it down nobody can see, so a loss is charged only to a run that was alone. One suspect at a time;
 * while it waits and runs, nothing is claimed.
 *
 * After one loss that is likely an accident (a machine that went away with all it had), so it costs little: a
 * suspect waits ten seconds for the others to end, and others may join it after thirty. If it is lost in
 * company again, it is alone to its end.
 */
export class Isolation {
  readonly #deps: IsolationDeps;
  #run: Run | undefined;
  #hasBegun = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: IsolationDeps) {
    this.#deps = deps;
  }

  /** True while nothing else may be claimed or begun. */
  get isClosed(): boolean {
    return this.#run !== undefined;
  }

  /**
   * Picks the suspect to run alone from runs that were claimed together: that of the fewest losses, since it
   * is the likeliest to be innocent.
   */
  static choose(runs: readonly Run[]): Run | undefined {
    const suspects = runs.filter((run) => lossesOf(run) > 0);
    return suspects.sort((a, b) => lossesOf(a) - lossesOf(b))[0];
  }

  /**
   * Takes over a run that was added to the runs as held; all others that have not begun are being handed
   * back.
   */
  hold(run: Run): void {
    this.#run = run;
    this.#hasBegun = false;
    // Canceled, lost or handed back while it waits.
    run.abortListener = { onAbort: () => this.#begin(run) };
    if (this.#deps.runs.openCount === 1) this.#begin(run);
    else void this.#wait(run);
  }

  /** Its end is written, or there is nothing to write. */
  settled(run: Run): void {
    if (run === this.#run) this.#open();
  }

  async #wait(run: Run): Promise<void> {
    const { runs, queue, waitMs = WAIT_MS } = this.#deps;
    const isStrict = lossesOf(run) >= STRICT_FROM;
    const isPutOff = [...runs.open()].some((other) => other !== run && other.phase === 'running');
    if (isPutOff) {
      logOfRun(run, this.#deps.log).info('run: a suspect waits until it is alone');
      await queue.putOffStart?.(run.claimed.lease).catch(() => undefined);
    }
    await runs.until(
      () => this.#hasBegun || runs.openCount === 1,
      isStrict ? undefined : AbortSignal.timeout(waitMs),
    );
    if (this.#hasBegun) return;
    if (isPutOff) {
      const isOurs = await queue.start(run.claimed.lease).catch(() => true);
      if (!isOurs) run.lose();
    }
    this.#begin(run);
  }

  #begin(run: Run): void {
    if (this.#hasBegun || run !== this.#run) return;
    this.#hasBegun = true;
    run.abortListener = undefined;
    const { runs, begin, aloneMs = ALONE_MS } = this.#deps;
    if (run.aborted === null) {
      runs.takeSlot(run);
      if (lossesOf(run) < STRICT_FROM) this.#timer = setTimeout(() => this.#open(), aloneMs).unref();
    }
    begin(run);
    runs.changed();
  }

  #open(): void {
    clearTimeout(this.#timer);
    this.#run = undefined;
    this.#deps.runs.changed();
  }
}

function lossesOf(run: Run): number {
  return run.claimed.job.lostLeaseCount;
}
