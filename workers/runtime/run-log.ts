import type { JobLogLevel, JobLogLimits } from '../../src/core/job-log.ts';
import { type LogLine, logLine } from '../../src/queue/runs/log-line.ts';
import type { Run } from './run.ts';

/** Lines that only report what became of others take this many places beyond the limit. */
const OWN_LINES = 2;

/**
 * The lines of one run that wait to be stored, numbered from 1 in the order in which the handler said them. Beyond its limits it
 * counts instead of keeping.
 */
export class RunLog {
  readonly run: Run;
  readonly #limits: JobLogLimits;
  #pending: LogLine[] = [];
  #lineCount = 0;
  #sizeBytes = 0;
  #pendingBytes = 0;
  #droppedCount = 0;
  #isFull = false;
  #isClosed = false;

  constructor(run: Run, limits: JobLogLimits) {
    this.run = run;
    this.#limits = limits;
  }

  get pendingCount(): number {
    return this.#pending.length;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /**
   * Takes a line, or counts it when the run has said enough.
   * @param hasRoom false while the process keeps as many unsent lines as it may: the database is away or slow
   */
  note(
    level: JobLogLevel,
    message: string,
    data: Readonly<Record<string, unknown>> | undefined,
    hasRoom: boolean,
  ): void {
    if (this.#isClosed) return;
    if (this.#isFull || !hasRoom) {
      this.#droppedCount++;
      return;
    }
    const line = logLine(this.#lineCount + 1, level, message, data, this.run.databaseNow());
    const { maxLines, maxBytes } = this.#limits;
    if (line.lineNo <= maxLines && this.#sizeBytes + line.sizeBytes <= maxBytes) {
      this.#put(line);
      return;
    }
    this.#isFull = true;
    this.#droppedCount++;
    this.#say(
      `The log of this run is full: ${maxLines} lines, ${maxBytes} bytes. Further lines are dropped.`,
      { maxLines, maxBytes },
    );
  }

  /** No line comes any more; what was dropped is said in a last one. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#droppedCount > 0)
      this.#say(`Lines dropped: ${this.#droppedCount}.`, { droppedLines: this.#droppedCount });
  }

  /** The oldest that wait, within these bounds but at least one; they stay until `stored`. */
  oldest(maxLines: number, maxBytes: number): readonly LogLine[] {
    let count = 0;
    let sizeBytes = 0;
    for (const line of this.#pending) {
      if (count > 0 && (count >= maxLines || sizeBytes + line.sizeBytes > maxBytes)) break;
      sizeBytes += line.sizeBytes;
      count++;
    }
    return this.#pending.slice(0, count);
  }

  /** This many of the oldest are in the table. */
  stored(count: number): void {
    for (const line of this.#pending.slice(0, count)) this.#pendingBytes -= line.sizeBytes;
    this.#pending = this.#pending.slice(count);
  }

  /** The database refuses the oldest: they count as dropped. Their numbers are used again, so that there is no gap. */
  refused(count: number): void {
    this.stored(count);
    this.#droppedCount += count;
    this.#lineCount -= count;
    this.#pending = this.#pending.map((line) => ({ ...line, lineNo: line.lineNo - count }));
  }

  /** The lease is gone: nothing of this run can be stored any more. */
  discard(): void {
    this.#isClosed = true;
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  #say(message: string, data: Readonly<Record<string, unknown>>): void {
    if (this.#lineCount >= this.#limits.maxLines + OWN_LINES) return;
    this.#put(logLine(this.#lineCount + 1, 'warn', message, data, this.run.databaseNow()));
  }

  #put(line: LogLine): void {
    this.#pending.push(line);
    this.#lineCount++;
    this.#sizeBytes += line.sizeBytes;
    this.#pendingBytes += line.sizeBytes;
  }
}
