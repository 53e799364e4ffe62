import { compareLogPositions, type LogPosition } from '../core/job-log.ts';
import { encodeLogCursor } from '../core/log-cursor.ts';
import { IterableSource } from './iterable-source.ts';
import type { StoredLogLine } from './log-reader.ts';
import type { LogTail } from './log-tail.ts';
import type { LogTails } from './log-tails.ts';
import { Wake } from './wake.ts';

/** Lines that follow those of the event before. */
export interface LogEvent {
  readonly kind: 'log';
  readonly tenantId: string;
  readonly jobId: string;
  /** In their order; none in a last event that only says that nothing follows. */
  readonly lines: readonly StoredLogLine[];
  /** Goes on after these lines. */
  readonly cursor: string;
  /** The job has ended, or was deleted, and all its lines have been delivered: the stream ends here. */
  readonly isEnd: boolean;
}

/** Lines of one event at most: a frame of a megabyte or two in the worst case, and some kilobytes in most. */
const EVENT_LINES = 100;

export interface LogSubscriptionOptions {
  readonly tails: LogTails;
  readonly tenantId: string;
  readonly jobId: string;
  readonly after: LogPosition;
  readonly untilFinal: boolean;
}

/**
 * One way through a job's log: a place in it and nothing else. Lines come from the window that all of the
 * job's followers share, and for one that is far behind from the table, a page at a time, when it is asked
 * for them.
 */
export class LogSubscription extends IterableSource<LogEvent> {
  readonly heardAtMs = null;
  readonly #options: LogSubscriptionOptions;
  readonly #wake = new Wake();
  readonly #ended = Promise.withResolvers<void>();
  #tail: LogTail | undefined;
  /** Behind the last line that was taken. */
  #position: LogPosition;
  #waiting: LogEvent | null = null;
  /**
   * Read from the table, behind the position; no more than one page, and none once the window has what
   * follows.
   */
  #behind: readonly StoredLogLine[] = [];
  #isEnded = false;

  constructor(options: LogSubscriptionOptions) {
    super();
    this.#options = options;
    this.#position = options.after;
  }

  async ready(): Promise<boolean> {
    try {
      this.#waiting ??= await this.#event();
    } catch (error) {
      this.end();
      throw error;
    }
    if (this.#waiting === null) this.end();
    return !this.#isOver();
  }

  /** One event at a time: of the longest lines, it is megabytes. */
  take(): LogEvent[] {
    const event = this.#waiting;
    if (event === null) return [];
    this.#waiting = null;
    this.#position = event.lines.at(-1) ?? this.#position;
    if (event.isEnd) this.end();
    return [event];
  }

  get isCaughtUp(): boolean {
    const tail = this.#tail;
    if (tail === undefined || tail.settledJob === null || this.#waiting !== null) return false;
    return compareLogPositions(this.#position, tail.newest) >= 0;
  }

  /** At the very same line only: a line that comes twice would be worse than two readers. */
  covers(other: LogSubscription): boolean {
    const isTaken = this.#waiting === null && other.#waiting === null;
    return isTaken && compareLogPositions(this.#position, other.#position) === 0;
  }

  adopt(): void {}

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    if (this.#tail !== undefined) this.#options.tails.leave(this.#tail, this.#wake);
    this.#ended.resolve();
    this.#wake.signal();
  }

  async #event(): Promise<LogEvent | null> {
    const { tails, tenantId, jobId } = this.#options;
    if (this.#tail === undefined && !this.#isEnded) {
      this.#tail = tails.watch(tenantId, jobId, this.#position, this.#wake);
    }
    for (let tail = this.#tail; tail !== undefined && !this.#isOver(); ) {
      this.#wake.reset();
      const lines = tail.after(this.#position, EVENT_LINES);
      if (lines !== null) this.#behind = [];
      if (lines === null) {
        const behind = await this.#readBehind();
        if (behind !== undefined) return behind;
      } else if (lines.length > 0 || this.#isAtEnd(tail)) return this.#eventOf(lines, tail);
      else if (tail.settledJob === null) await Promise.race([tail.read(), this.#ended.promise]);
      else await this.#wake.wait();
    }
    return null;
  }

  /**
   * What is not kept for all any more. Undefined: nothing more is there, which a deleted job alone can be the
   * reason of.
   */
  async #readBehind(): Promise<LogEvent | null | undefined> {
    if (this.#behind.length > 0) return this.#nextBehind();
    const { tails, tenantId, jobId } = this.#options;
    const reading = tails.readPage(tenantId, jobId, this.#position, () => this.#isEnded);
    const page = await Promise.race([reading, this.#ended.promise]);
    if (page === undefined) return null;
    if (page.job === 'gone') return this.#eventOf([], null);
    if (page.lines.length === 0) return undefined;
    this.#behind = page.lines;
    return this.#nextBehind();
  }

  #nextBehind(): LogEvent {
    const lines = this.#behind.slice(0, EVENT_LINES);
    this.#behind = this.#behind.slice(EVENT_LINES);
    return this.#eventOf(lines, undefined);
  }

  /** @param tail null when the job is gone, undefined when there is more in any case */
  #eventOf(lines: readonly StoredLogLine[], tail: LogTail | null | undefined): LogEvent {
    const { tenantId, jobId } = this.#options;
    const position = lines.at(-1) ?? this.#position;
    const isEnd = tail === null || (tail !== undefined && this.#isAtEnd(tail, position));
    return { kind: 'log', tenantId, jobId, lines, cursor: encodeLogCursor(jobId, position), isEnd };
  }

  /** Nothing follows, and nothing will. */
  #isAtEnd(tail: LogTail, position: LogPosition = this.#position): boolean {
    const { settledJob } = tail;
    if (settledJob === 'gone') return true;
    if (settledJob !== 'final' || !this.#options.untilFinal) return false;
    return compareLogPositions(position, tail.newest) >= 0;
  }

  /** A method, since the compiler would not believe that this can change during a wait. */
  #isOver(): boolean {
    return this.#isEnded || this.#tail?.isEnded === true;
  }
}
