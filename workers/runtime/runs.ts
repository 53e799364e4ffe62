import { jobIdOf, type Run } from './run.ts';
import { Slots } from './slots.ts';

/**
 * The runs of this process and the slots they take. A slot belongs to a run from its start until its handler
 * has really ended: one that ignores its signal still uses memory and CPU, and starting another beside it,
 * again and again, would sink the process. How a run ended is written after that, while the slot serves the
 * next one.
 */
export class Runs {
  readonly concurrency: number;
  /** Runs that are not settled yet, by job: the newest of each … */
  readonly #newest = new Map<string, Run>();
  /** … and those that have lost their lease to a newer one. */
  readonly #older = new Set<Run>();
  /** Claimed, not begun, in the order of their claim. */
  #waiting: Run[] = [];
  #waitingFrom = 0;
  readonly #slots: Slots;
  readonly #watchers = new Set<() => void>();
  #isNotifying = false;

  constructor(concurrency: number) {
    this.concurrency = concurrency;
    this.#slots = new Slots(concurrency);
  }

  /** Slots that no run has and that no claimed run waits for. */
  get freeSlots(): number {
    return this.#slots.freeCount - this.waitingCount;
  }

  get openCount(): number {
    return this.#newest.size + this.#older.size;
  }

  get waitingCount(): number {
    return this.#waiting.length - this.#waitingFrom;
  }

  *open(): Iterable<Run> {
    yield* this.#newest.values();
    yield* this.#older;
  }

  /** @param key as `Run.key` */
  byKey(key: string): Run | undefined {
    const newest = this.#newest.get(jobIdOf(key));
    return newest?.key === key ? newest : [...this.#older].find((run) => run.key === key);
  }

  /**
   * Takes over a claimed run. An older run of the same job has lost its lease, or there would be no newer
   * one.
   * @param isHeld it does not wait for the next slot: its holder gives it one by `takeSlot`
   */
  add(run: Run, isHeld = false): void {
    const { jobId } = run.claimed.lease;
    const older = this.#newest.get(jobId);
    if (older !== undefined) {
      older.lose();
      this.#older.add(older);
    }
    this.#newest.set(jobId, run);
    if (!isHeld) this.#waiting.push(run);
  }

  /** Gives a slot to a run that does not wait for the next. @throws RangeError when none is free */
  takeSlot(run: Run): void {
    this.#slots.take(run);
  }

  /** Something that those who wait by `until` look at has changed elsewhere. */
  changed(): void {
    this.#notify();
  }

  /** The next run with a slot for it, which it then has; undefined when there is no slot or nobody waits. */
  next(): Run | undefined {
    if (this.#slots.freeCount === 0) return undefined;
    const run = this.#takeWaiting();
    if (run !== undefined) this.#slots.take(run);
    return run;
  }

  /** Those that wait since before `claimedBeforeMs`, without slots: to be handed back. */
  takeWaiting(claimedBeforeMs = Number.POSITIVE_INFINITY): readonly Run[] {
    const taken: Run[] = [];
    for (
      let run = this.#waiting[this.#waitingFrom];
      run !== undefined;
      run = this.#waiting[this.#waitingFrom]
    ) {
      if (run.claimedAtMs >= claimedBeforeMs) break;
      taken.push(run);
      this.#takeWaiting();
    }
    return taken;
  }

  /** Gives the run's slot back, if it has one. */
  freeSlot(run: Run): void {
    if (this.#slots.give(run)) this.#notify();
  }

  /** Slots that are free, or taken for less than this time: the others may be taken for hours to come. */
  slotsTurning(withinMs: number): number {
    return this.#slots.turning(performance.now() - withinMs);
  }

  /** Its end is written, or there is nothing to write. */
  settled(run: Run): void {
    run.phase = 'settled';
    const { jobId } = run.claimed.lease;
    if (this.#newest.get(jobId) === run) this.#newest.delete(jobId);
    else this.#older.delete(run);
    this.#notify();
  }

  /** Resolves when the condition holds, looked at after each change, or when the signal fires. */
  async until(condition: () => boolean, signal?: AbortSignal): Promise<void> {
    if (condition() || signal?.aborted === true) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => {
      if (condition() || signal?.aborted === true) resolve();
    };
    this.#watchers.add(look);
    signal?.addEventListener('abort', look);
    await promise;
    this.#watchers.delete(look);
    signal?.removeEventListener('abort', look);
  }

  // A cursor instead of shift(), which moves all the others each time; the array is cut once half of it is
  // behind.
  #takeWaiting(): Run | undefined {
    const run = this.#waiting[this.#waitingFrom];
    if (run === undefined) return undefined;
    this.#waitingFrom++;
    if (this.#waitingFrom > 256 && this.#waitingFrom * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#waitingFrom);
      this.#waitingFrom = 0;
    }
    return run;
  }

  /**
   * Once for all that change in a turn: a settlement ends hundreds of runs, and each look computes how many
   * to claim ahead.
   */
  #notify(): void {
    if (this.#isNotifying || this.#watchers.size === 0) return;
    this.#isNotifying = true;
    queueMicrotask(() => {
      this.#isNotifying = false;
      for (const look of this.#watchers) look();
    });
  }
}
