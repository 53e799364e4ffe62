import type { WorkerRow } from '../db/sql/operations/list-workers.ts';
import { IterableSource } from './iterable-source.ts';
import { Wake } from './wake.ts';

/** What a stream of workers needs of its watch. */
export interface WorkersHost {
  join(subscription: WorkersSubscription): void;
  leave(subscription: WorkersSubscription): void;
}

export interface WorkersEvent {
  readonly workers: readonly WorkerRow[];
}

/**
 * One stream of the worker processes: the list of now, then newer ones when they differ by more than when
 * each was last seen. Of what its consumer does not take in time only the newest is kept. It has no
 * cursor, since each event stands for the whole.
 */
export class WorkersSubscription extends IterableSource<WorkersEvent> {
  readonly #host: WorkersHost;
  readonly #wake = new Wake();
  #phase: 'new' | 'live' | 'ended' = 'new';
  #due: { readonly workers: readonly WorkerRow[]; readonly atMs: number } | null = null;
  #known: string | null = null;
  #failure: Error | null = null;

  constructor(host: WorkersHost) {
    super();
    this.#host = host;
  }

  end(): void {
    this.#phase = 'ended';
    this.#due = null;
    this.#host.leave(this);
    this.#wake.signal();
  }

  /** Ends it with an error, which the consumer meets next. */
  fail(error: Error): void {
    this.#failure = error;
    this.end();
  }

  offer(workers: readonly WorkerRow[]): void {
    if (this.#phase !== 'live' || (this.#due === null && this.#known === said(workers))) return;
    this.#due = { workers, atMs: this.#due?.atMs ?? performance.now() };
    this.#wake.signal();
  }

  async ready(): Promise<boolean> {
    if (this.#phase === 'new') {
      this.#phase = 'live';
      this.#host.join(this);
    }
    while (this.#due === null && this.#phase === 'live') await this.#wake.wait();
    const failure = this.#failure;
    this.#failure = null;
    if (failure !== null) throw failure;
    return this.#due !== null;
  }

  take(): WorkersEvent[] {
    if (this.#due === null) return [];
    const { workers } = this.#due;
    this.#known = said(workers);
    this.#due = null;
    return [{ workers }];
  }

  get heardAtMs(): number | null {
    return this.#due?.atMs ?? null;
  }

  get isCaughtUp(): boolean {
    return this.#known !== null;
  }

  /** A client that has had one list may go on with the next of any stream. */
  covers(other: WorkersSubscription): boolean {
    return other.#known !== null && (this.#due !== null || other.#due === null);
  }

  adopt(): void {}
}

function said(workers: readonly WorkerRow[]): string {
  return JSON.stringify(workers.map((worker) => ({ ...worker, lastSeenAt: null })));
}
