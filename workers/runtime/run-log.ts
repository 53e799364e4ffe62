import type { JobLogLevel, JobLogLimits } from '../../src/core/job-log.ts';
import { type LogLine, logLine } from '../../src/runs/log-line.ts';
import type { Run } from './run.ts';

/** Lines that only report what became of others take this many places beyond the limit. */
const OWN_LINES = 2;
/** What a waiting line takes beside its text. */
const LINE_OVERHEAD_BYTES = 256;

/**
 * Why a line is not stored. `limit`: of its run; `backlog`: the process held as many unsent lines as it may;
 * `refused`: by the database; `lease_lost`: the job is another worker's by now.
 */
export type LogLossReason = 'limit' | 'backlog' | 'refused' | 'lease_lost';

export type OnLogLoss = (reason: LogLossReason, lineCount: number) => void;

/**
 * The lines of one run that wait to be stored, numbered from 1 in the order in which the handler said them.
 * Beyond its limits it counts instead of keeping.
 */
export class RunLog {
  readonly run: Run;
  readonly #limits: JobLogLimits;
  readonly #onLoss: OnLogLoss;
  #pending: LogLine[] = [];
  #lineCount = 0;
  #sizeBytes = 0;
  #pendingBytes = 0;
  #droppedCount = 0;
  /** The newest of these, which no line of this log shows yet. */
  #gapCount = 0;
  #isFull = false;
  #isClosed = false;

  constructor(run: Run, limits: JobLogLimits, onLoss: OnLogLoss) {
    this.run = run;
    this.#limits = limits;
    this.#onLoss = onLoss;
  }

  get pendingCount(): number {
    return this.#pending.length;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /**
   * Takes a line, or counts it when the run has said enough. Where lines were lost since the one before, a
   * line in their place says so.
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
      if (!this.#isFull) this.#gapCount++;
      this.#dropped(this.#isFull ? 'limit' : 'backlog');
      return;
    }
    this.#closeGap();
    const line = logLine(this.#lineCount + 1, level, message, data, this.run.databaseNow());
    const { maxLines, maxBytes } = this.#limits;
    if (line.lineNo <= maxLines && this.#sizeBytes + line.sizeBytes <= maxBytes) {
      this.#put(line);
      return;
    }
    this.#isFull = true;
    this.#dropped('limit');
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
    for (const line of this.#pending.slice(0, count)) this.#pendingBytes -= heldBytes(line);
    this.#pending = this.#pending.slice(count);
  }

  /**
   * The database refuses the oldest: they count as dropped. Their numbers are used again, so that there is no
   * gap.
   */
  refused(count: number): void {
    this.stored(count);
    this.#dropped('refused', count);
    this.#lineCount -= count;
    this.#pending = this.#pending.map((line) => ({ ...line, lineNo: line.lineNo - count }));
  }

  /** The lease is gone: nothing of this run can be stored any more. */
  discard(): void {
    this.#isClosed = true;
    if (this.#pending.length > 0) this.#onLoss('lease_lost', this.#pending.length);
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  #dropped(reason: LogLossReason, count = 1): void {
    this.#droppedCount += count;
    this.#onLoss(reason, count);
  }

  #closeGap(): void {
    if (this.#gapCount === 0 || this.#lineCount >= this.#limits.maxLines) return;
    const droppedLines = this.#gapCount;
    this.#gapCount = 0;
    this.#say(`Lines dropped here: ${droppedLines}. The worker held as many unsent lines as it may.`, {
      droppedLines,
    });
  }

  #say(message: string, data: Readonly<Record<string, unknown>>): void {
    if (this.#lineCount >= this.#limits.maxLines + OWN_LINES) return;
    this.#put(logLine(this.#lineCount + 1, 'warn', message, data, this.run.databaseNow()));
  }

  #put(line: LogLine): void {
    this.#pending.push(line);
    this.#lineCount++;
    this.#sizeBytes += line.sizeBytes;
    this.#pendingBytes += heldBytes(line);
  }
}

function heldBytes(line: LogLine): number {
  return line.sizeBytes + LINE_OVERHEAD_BYTES;
}
