import { IterableSource } from './iterable-source.ts';
import type { JobSummary, SummaryEvent } from './job-summary.ts';
import { saysTheSame } from './job-summary.ts';
import { Wake } from './wake.ts';

/** What a stream of summaries needs of its tenant's broadcaster. */
export interface SummaryHost {
  join(subscription: JobSummarySubscription): void;
  leave(subscription: JobSummarySubscription): void;
}

/**
 * One stream of a tenant's counts: those of now, then newer ones when they differ. Of what its consumer does
 * not take in time only the newest is kept. It has no cursor, since each event stands for the whole.
 */
export class JobSummarySubscription extends IterableSource<SummaryEvent> {
  readonly tenantId: string;
  readonly sinceSeconds: number;
  readonly #host: SummaryHost;
  readonly #wake = new Wake();
  #phase: 'new' | 'live' | 'ended' = 'new';
  #due: { readonly summary: JobSummary; readonly atMs: number } | null = null;
  #known: JobSummary | null = null;
  #failure: Error | null = null;

  constructor(host: SummaryHost, tenantId: string, sinceSeconds: number) {
    super();
    this.#host = host;
    this.tenantId = tenantId;
    this.sinceSeconds = sinceSeconds;
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

  /** Newer counts; nothing comes of them when they say what is known. */
  offer(summary: JobSummary): void {
    const last = this.#due?.summary ?? this.#known;
    if (last !== null && saysTheSame(last, summary)) return;
    this.#due = { summary, atMs: this.#due?.atMs ?? performance.now() };
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

  take(): SummaryEvent[] {
    if (this.#due === null) return [];
    this.#known = this.#due.summary;
    this.#due = null;
    return [{ kind: 'summary', tenantId: this.tenantId, summary: this.#known }];
  }

  get heardAtMs(): number | null {
    return this.#due?.atMs ?? null;
  }

  get isCaughtUp(): boolean {
    return this.#known !== null;
  }

  /** A client that has had one summary may go on with the next of any stream of the same window. */
  covers(other: JobSummarySubscription): boolean {
    return other.#known !== null && (this.#due !== null || other.#due === null);
  }

  adopt(): void {}
}
