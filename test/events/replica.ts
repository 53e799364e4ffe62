import type { FeedEvent } from '../../src/events/change.ts';
import type { Feed } from '../../src/events/feed.ts';
import type { JobFilter } from '../../src/events/filter.ts';

/**
 * A client as the documentation asks for: it keeps what it is sent, comes back with its last cursor whenever
 * it was cut off, and notes every version that went back.
 */
export class Replica {
  readonly reversals: string[] = [];
  cutCount = 0;
  readonly #feed: Feed;
  readonly #filter: JobFilter;
  /** Newest version by job of what is in the filter. */
  #jobs = new Map<string, bigint>();
  readonly #highest = new Map<string, bigint>();
  #cursor: string | null = null;
  #stream: AsyncIterableIterator<FeedEvent, undefined>;
  #cutAfter = Number.POSITIVE_INFINITY;
  #stalled: Promise<void> | null = null;
  #resume: () => void = () => undefined;
  #isStopped = false;
  readonly #done: Promise<void>;

  constructor(feed: Feed, filter: JobFilter) {
    this.#feed = feed;
    this.#filter = filter;
    this.#stream = feed.subscribe(filter);
    this.#done = this.#run();
  }

  get jobs(): ReadonlyMap<string, bigint> {
    return this.#jobs;
  }

  /** Its connection breaks after N further events. */
  cutAfter(eventCount: number): void {
    this.#cutAfter = eventCount;
  }

  /** Its connection breaks now, whatever it waits for. */
  async cutNow(): Promise<void> {
    await this.#stream.return?.();
  }

  /** It forgets its cursor, as a page that is loaded again. */
  async reload(): Promise<void> {
    this.#cursor = null;
    await this.cutNow();
  }

  /** It takes nothing until `wake`. */
  stall(): void {
    this.wake();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#stalled = promise;
    this.#resume = resolve;
  }

  wake(): void {
    this.#stalled = null;
    this.#resume();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.wake();
    await this.#stream.return?.();
    await this.#done;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      await this.#follow();
      if (this.#isStopped) return;
      this.cutCount++;
      this.#stream = this.#feed.subscribe(this.#filter, this.#cursor);
    }
  }

  async #follow(): Promise<void> {
    // What this stream has sent before it was ready: with `ready` that is everything there is.
    const seen = new Map<string, bigint>();
    for await (const event of this.#stream) {
      if (this.#stalled !== null) await this.#stalled;
      this.#apply(event, seen);
      if (--this.#cutAfter > 0) continue;
      this.#cutAfter = Number.POSITIVE_INFINITY;
      return;
    }
  }

  #apply(event: FeedEvent, seen: Map<string, bigint>): void {
    if (event.kind === 'job') {
      const { jobId, version } = event.change;
      if (version < (this.#highest.get(jobId) ?? 0n)) this.reversals.push(jobId);
      this.#highest.set(jobId, version);
      this.#jobs.set(jobId, version);
      seen.set(jobId, version);
    } else if (event.kind === 'jobLeft' || event.kind === 'jobRemoved') {
      this.#jobs.delete(event.jobId);
      seen.delete(event.jobId);
    } else if (event.kind === 'ready') this.#jobs = new Map(seen);
    else if (event.kind === 'resync') this.#jobs.clear();
    this.#cursor = event.cursor ?? this.#cursor;
  }
}
