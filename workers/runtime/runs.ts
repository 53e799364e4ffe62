import type { Run } from './run.ts';

/**
 * The runs of this process and the slots they take. A slot belongs to a run until its handler has really ended: one that
 * ignores its signal still uses memory and CPU, and starting another beside it, again and again, would sink the process.
 */
export class Runs {
  readonly concurrency: number;
  /** Runs that are not settled yet. */
  readonly #open = new Map<string, Run>();
  readonly #byJob = new Map<string, Run>();
  #takenSlots = 0;
  readonly #waiting = new Set<() => void>();

  constructor(concurrency: number) {
    this.concurrency = concurrency;
  }

  get freeSlots(): number {
    return this.concurrency - this.#takenSlots;
  }

  get openCount(): number {
    return this.#open.size;
  }

  open(): readonly Run[] {
    return [...this.#open.values()];
  }

  /** The newest run of a job that is not settled. */
  ofJob(jobId: string): Run | undefined {
    return this.#byJob.get(jobId);
  }

  byKey(key: string): Run | undefined {
    return this.#open.get(key);
  }

  /** Takes a slot. An older run of the same job has lost its lease, or there would be no newer one. */
  add(run: Run): void {
    const { jobId } = run.claimed.lease;
    this.#byJob.get(jobId)?.lose();
    this.#open.set(run.key, run);
    this.#byJob.set(jobId, run);
    this.#takenSlots++;
  }

  /** The run is settled; its slot is freed by `freeSlot`. */
  settled(run: Run): void {
    run.phase = 'settled';
    this.#open.delete(run.key);
    if (this.#byJob.get(run.claimed.lease.jobId) === run) this.#byJob.delete(run.claimed.lease.jobId);
    this.#notify();
  }

  freeSlot(): void {
    this.#takenSlots--;
    this.#notify();
  }

  /** Resolves when the condition holds, looked at after each change, or when the signal fires. */
  async until(condition: () => boolean, signal?: AbortSignal): Promise<void> {
    const onAbort = (): void => this.#notify();
    signal?.addEventListener('abort', onAbort);
    while (!condition() && signal?.aborted !== true) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      await promise;
      this.#waiting.delete(resolve);
    }
    signal?.removeEventListener('abort', onAbort);
  }

  #notify(): void {
    for (const resolve of [...this.#waiting]) resolve();
  }
}
