import { compareLogPositions, type LogPosition } from '../core/job-log.ts';
import { isFinal } from '../core/states.ts';
import type { OutageLog } from '../db/outage-log.ts';
import type { Change } from './change.ts';
import type { FeedSubscriber } from './feed-subscriber.ts';
import { LOG_PAGE_LINES, type LogPage, type LogReader, type StoredLogLine } from './log-reader.ts';
import { retryDuringOutage } from './retry-during-outage.ts';
import type { Semaphore } from './semaphore.ts';
import type { Wake } from './wake.ts';

export interface LogTailDeps {
  readonly reader: LogReader;
  readonly semaphore: Semaphore;
  readonly outages: OutageLog;
  /** Lines that are kept for those who read a little behind; who is further behind reads the table itself. */
  readonly windowLines: () => number;
}

/**
 * The end of one job's log, read once for all who follow it: only when somebody waits for more, and only
 * after something said that there may be more. It keeps a window of the newest lines it has read and no queue
 * for anybody.
 */
export class LogTail implements FeedSubscriber {
  readonly tenantId: string;
  readonly jobId: string;
  readonly jobIds: readonly string[];
  readonly waiting = new Set<Wake>();
  readonly #deps: LogTailDeps;
  /** The lines after `#start`, in their order. */
  #lines: StoredLogLine[] = [];
  #start: LogPosition;
  #job: LogPage['job'] = 'active';
  /** Something may have come since the last read began. */
  #isStale = true;
  #reading: Promise<void> | undefined;
  #isEnded = false;

  constructor(deps: LogTailDeps, tenantId: string, jobId: string, start: LogPosition) {
    this.#deps = deps;
    this.tenantId = tenantId;
    this.jobId = jobId;
    this.jobIds = [jobId];
    this.#start = start;
  }

  /** Up to where it has been read. */
  get newest(): LogPosition {
    return this.#lines.at(-1) ?? this.#start;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /**
   * What the last read said, once there is nothing newer to read; null before, and while a read is under way.
   */
  get settledJob(): LogPage['job'] | null {
    return this.#isStale || this.#reading !== undefined ? null : this.#job;
  }

  /** The kept lines after a place, at most N; null when some of them are not kept any more. */
  after(position: LogPosition, limit: number): readonly StoredLogLine[] | null {
    if (compareLogPositions(position, this.#start) < 0) return null;
    let [low, high] = [0, this.#lines.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const line = this.#lines[middle] as StoredLogLine;
      if (compareLogPositions(line, position) <= 0) low = middle + 1;
      else high = middle;
    }
    return this.#lines.slice(low, low + limit);
  }

  /**
   * Reads on, if there may be anything; one read for all who ask meanwhile. Rejects with what nobody can wait
   * out.
   */
  async read(): Promise<void> {
    if (this.#isEnded || (!this.#isStale && this.#reading === undefined)) return;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  /** There may be more than has been read. */
  stale(): void {
    this.#isStale = true;
    for (const wake of this.waiting) wake.signal();
  }

  accept(change: Change): boolean {
    if (change.kind === 'removed' || (change.kind === 'job' && isFinal(change.status))) this.stale();
    return false;
  }

  rangeEnded(): void {}

  restarted(): void {
    this.stale();
  }

  lost(): void {
    this.stale();
  }

  refresh(): void {}

  end(): void {
    this.#isEnded = true;
    for (const wake of this.waiting) wake.signal();
  }

  async #read(): Promise<void> {
    const { reader, semaphore, outages, windowLines } = this.#deps;
    const limit = Math.min(LOG_PAGE_LINES, windowLines());
    const read = (): Promise<LogPage> => {
      // What is notified while the read is under way may have come too late for it.
      this.#isStale = false;
      return semaphore.run(() => reader.page(this.tenantId, this.jobId, this.newest, limit));
    };
    try {
      const page = await retryDuringOutage(read, outages, () => this.#isEnded);
      if (page !== undefined) this.#take(page);
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
  }

  #take({ lines, isFull, job }: LogPage): void {
    this.#job = job;
    if (isFull) this.#isStale = true;
    if (lines.length === 0) return;
    const all = [...this.#lines, ...lines];
    const dropped = all.slice(0, -this.#deps.windowLines());
    this.#start = dropped.at(-1) ?? this.#start;
    this.#lines = all.slice(dropped.length);
    // Others who wait are at the same end.
    for (const wake of this.waiting) wake.signal();
  }
}
