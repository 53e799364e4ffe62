import type { Lease } from '../../src/core/queue.ts';
import type { LogLine } from '../../src/runs/log-line.ts';
import type { RunLog } from './run-log.ts';

/** Lines that one statement writes at most; large ones are fewer. */
const MAX_LINES = 2_000;
const MAX_BYTES = 1024 * 1024;

/** The lines that one statement writes, of one run or of many. */
export class LogBatch {
  readonly parts: readonly { readonly log: RunLog; readonly lines: readonly LogLine[] }[];

  private constructor(parts: LogBatch['parts']) {
    this.parts = parts;
  }

  /** The oldest lines of these logs, as many as go into one statement; at least one. */
  static of(logs: readonly RunLog[]): LogBatch {
    const parts: { log: RunLog; lines: readonly LogLine[] }[] = [];
    let lineCount = 0;
    let sizeBytes = 0;
    // A share for each: a run that ends with one line must not wait for another's hundred thousand.
    const share = Math.ceil(MAX_LINES / logs.length);
    for (const log of logs) {
      if (lineCount >= MAX_LINES || sizeBytes >= MAX_BYTES) break;
      const lines = log.oldest(Math.min(share, MAX_LINES - lineCount), MAX_BYTES - sizeBytes);
      parts.push({ log, lines });
      lineCount += lines.length;
      for (const line of lines) sizeBytes += line.sizeBytes;
    }
    return new LogBatch(parts);
  }

  get lineCount(): number {
    return this.parts.reduce((sum, { lines }) => sum + lines.length, 0);
  }

  /** As the queue takes them. */
  runs(): readonly { readonly lease: Lease; readonly lines: readonly LogLine[] }[] {
    return this.parts.map(({ log, lines }) => ({ lease: log.run.claimed.lease, lines }));
  }
}
