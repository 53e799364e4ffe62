import { type Job, type JobEvent, MillraceError } from '../../src/client/index.ts';
import { Retries } from '../../src/client/retries.ts';
import type { JobRow } from '../api/operations.gen.ts';
import { type Change, LiveChanges, nextMoment, type ReadPage } from './live-changes.ts';
import { PayloadAsker } from './payload-asker.ts';

/** The server, as far as a list of jobs needs it. All for one filter. */
export interface JobSource {
  /** @param after where to go on; null begins again */
  watch(after: string | null, signal: AbortSignal): AsyncIterable<JobEvent>;
  /** Whether a job that the stream has sent matches; null where only the server knows. */
  matches(job: Job | JobRow): boolean | null;
  /** The first page. */
  readNewest(signal: AbortSignal): Promise<readonly JobRow[]>;
  /** Those of these jobs that match, of at most `MAX_IDS`. */
  readByIds(ids: readonly string[], signal: AbortSignal): Promise<readonly JobRow[]>;
}

const MAX_IDS = 100;
/** At most some ten renderings a second, however many jobs change. */
const BATCH_MS = 80;
const BACKOFF = { firstMs: 500, maxMs: 5_000 };

/**
 * Keeps the rows of pages current: by a stream, and by reading again what the stream cannot say. It says
 * nothing of a job that left between the request for its page and the stream's beginning, so rows of such
 * pages are read by their ids, whichever of the two came first; also after a stream that had to begin again.
 */
export class JobFeed {
  readonly #source: JobSource;
  readonly #backoff: typeof BACKOFF;
  readonly #asker: PayloadAsker;
  readonly #listeners = new Set<() => void>();
  #changes = new LiveChanges();
  #waiting: Change[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pages: readonly ReadPage[] = [];
  #shown: ReadonlySet<string> = new Set();
  /** As of when the rows of each page are known. */
  readonly #readAt = new WeakMap<ReadPage, number>();
  /** As of when they have to be: changes were forgotten while it was on its way. */
  readonly #forgotten = new WeakMap<ReadPage, number>();
  /** From then on the stream says everything; null before it stands. */
  #completeSince: number | null = null;
  /** The cursor of the last event. */
  #cursor: string | null = null;
  /** Whether what was before that event is known, so that the stream can go on there. */
  #isCaughtUp = false;
  /** The jobs that a stream's beginning has been compared with. */
  #newest: { readonly asOf: number; readonly ids: ReadonlySet<string> } = { asOf: 0, ids: new Set() };
  #lastTurn: Promise<unknown> = Promise.resolve();
  #problem: unknown = null;
  #signal: AbortSignal | null = null;

  constructor(source: JobSource, backoff: typeof BACKOFF = BACKOFF) {
    this.#source = source;
    this.#asker = new PayloadAsker(
      (ids) => this.#readSome(ids),
      (job, asOf) => this.#put({ job, asOf }),
    );
    this.#backoff = backoff;
  }

  /** The same object as long as nothing has changed. */
  get changes(): LiveChanges {
    return this.#changes;
  }

  /** Why there is no stream any more. */
  get problem(): unknown {
    return this.#problem;
  }

  /** @returns stops the notifications */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Follows the stream, from where it was left. @returns stops it */
  follow(): () => void {
    const ending = new AbortController();
    this.#signal = ending.signal;
    this.#setProblem(null);
    void this.#readWhatIsOpen();
    this.#run(ending.signal).catch((error: unknown) => {
      if (!ending.signal.aborted) this.#setProblem(error);
    });
    return () => {
      ending.abort();
      this.#asker.stop();
      if (this.#signal === ending.signal) this.#signal = null;
      this.#flush();
    };
  }

  /** Which pages are shown from now on. */
  show(pages: readonly ReadPage[]): void {
    this.#pages = pages;
    this.#shown = new Set(pages.flatMap(({ nodes }) => nodes.map(({ id }) => id)));
    for (const page of pages)
      if (!this.#forgotten.has(page)) this.#forgotten.set(page, this.#changes.forgottenAsOf);
    void this.#readWhatIsOpen();
  }

  async #run(signal: AbortSignal): Promise<void> {
    const after = this.#isCaughtUp ? this.#cursor : null;
    for await (const event of this.#source.watch(after, signal)) {
      switch (event.__typename) {
        case 'JobUpdated':
          if (event.job !== null) this.#updated(event.job);
          break;
        case 'JobLeft':
        case 'JobRemoved':
          this.#put({ goneId: event.jobId, asOf: nextMoment() });
          break;
        case 'ResyncRequired':
          this.#isCaughtUp = false;
          this.#completeSince = null;
          break;
        case 'FeedReady':
          this.#isCaughtUp = false;
          this.#completeSince = nextMoment();
          void this.#catchUp(this.#completeSince, signal);
          break;
        default:
      }
      if ('cursor' in event) this.#cursor = event.cursor;
    }
  }

  #updated(job: Job): void {
    const asOf = nextMoment();
    const isMatch = this.#source.matches(job) ?? (this.#shown.has(job.id) || this.#asker.isMatching(job.id));
    if (isMatch) this.#put({ job, asOf });
    else if (this.#source.matches(job) === false) this.#put({ goneId: job.id, asOf });
  }

  /** Those of these jobs that match, however many they are. */
  async #readSome(ids: readonly string[]): Promise<readonly JobRow[]> {
    const found: JobRow[] = [];
    const signal = this.#signal;
    for (let at = 0; signal !== null && at < ids.length; at += MAX_IDS)
      found.push(...(await this.#source.readByIds(ids.slice(at, at + MAX_IDS), signal)));
    return found;
  }

  /** What came before the stream stood. */
  async #catchUp(since: number, signal: AbortSignal): Promise<void> {
    const isNewestRead = this.#inTurn(() =>
      this.#again(signal, async () => {
        const asOf = nextMoment();
        const jobs = await this.#source.readNewest(signal);
        for (const job of jobs) this.#put({ job, asOf });
        this.#newest = { asOf, ids: new Set(jobs.map(({ id }) => id)) };
      }),
    );
    const areRowsRead = this.#readWhatIsOpen();
    const isAllRead = (await isNewestRead) && (await areRowsRead);
    if (isAllRead && !signal.aborted && this.#completeSince === since) this.#isCaughtUp = true;
  }

  /** Reads the rows again of which the stream may have said too little. @returns whether all are known now */
  #readWhatIsOpen(): Promise<boolean> {
    return this.#inTurn(async () => {
      for (const page of this.#pages) {
        const [signal, since] = [this.#signal, this.#completeSince];
        if (signal === null || since === null) return false;
        const needed = Math.max(since, this.#forgotten.get(page) ?? 0);
        if ((this.#readAt.get(page) ?? page.asOf) >= needed) continue;
        const asOf = nextMoment();
        if (!(await this.#again(signal, () => this.#readAgain(page, needed, signal)))) return false;
        this.#readAt.set(page, asOf);
      }
      return true;
    });
  }

  async #readAgain({ nodes }: ReadPage, needed: number, signal: AbortSignal): Promise<void> {
    const { asOf: newestAsOf, ids: newest } = this.#newest;
    const ids = nodes.map(({ id }) => id).filter((id) => newestAsOf < needed || !newest.has(id));
    for (let at = 0; at < ids.length; at += MAX_IDS) {
      const some = ids.slice(at, at + MAX_IDS);
      const asOf = nextMoment();
      const jobs = await this.#source.readByIds(some, signal);
      const found = new Set(jobs.map(({ id }) => id));
      for (const job of jobs) this.#put({ job, asOf });
      for (const id of some) if (!found.has(id)) this.#put({ goneId: id, asOf });
    }
  }

  /** One after another: what the one has read, the next need not. */
  #inTurn(read: () => Promise<boolean>): Promise<boolean> {
    const turn = this.#lastTurn.then(read);
    this.#lastTurn = turn;
    return turn;
  }

  /** Until it has worked. @returns false when it cannot, or is not wanted any more */
  async #again(signal: AbortSignal, read: () => Promise<void>): Promise<boolean> {
    const retries = new Retries(this.#backoff, true);
    for (;;) {
      if (signal.aborted) return false;
      try {
        await read();
        return true;
      } catch (error) {
        if (!(error instanceof MillraceError) || !retries.allows(error)) return false;
        await new Promise<void>((resolve) => retries.schedule(error.retryAfterMs ?? 0, resolve));
      }
    }
  }

  #put(change: Change): void {
    this.#waiting.push(change);
    this.#timer ??= setTimeout(() => this.#flush(), BATCH_MS);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.length === 0) return;
    this.#changes = this.#changes.with(this.#waiting, this.#shown);
    this.#waiting = [];
    this.#notify();
  }

  #setProblem(problem: unknown): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#notify();
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
