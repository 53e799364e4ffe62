import { Readable } from 'node:stream';
import { compareLogPositions, LOG_START, type LogPosition } from '../core/job-log.ts';
import type { Feed } from '../events/feed.ts';
import type { StoredLogLine } from '../events/log-reader.ts';

export interface WholeLogOptions {
  readonly feed: Feed;
  readonly tenantId: string;
  readonly jobId: string;
  /** Lines behind it alone; null: from the first. */
  readonly after: LogPosition | null;
  /** Lines before it alone; null: to the last that there is by now. */
  readonly before: LogPosition | null;
  /** A line of the log as a line of the answer, without its end. */
  readonly textOf: (line: StoredLogLine) => string;
  /** Takes the bytes of a page from what the caller may ask. */
  readonly charge: (bytes: number) => void;
  /** Fires when the client has gone. */
  readonly signal: AbortSignal;
}

/**
 * A job's log in one answer, however long it is: a page of it is read when the client has taken the one
 * before, so that neither memory nor a transaction is held for it.
 */
export function wholeLog(options: WholeLogOptions): Readable {
  return Readable.from(texts(options), { objectMode: false });
}

async function* texts(options: WholeLogOptions): AsyncGenerator<Buffer> {
  const { feed, tenantId, jobId, before, textOf, charge, signal } = options;
  let position = options.after ?? LOG_START;
  for (;;) {
    const page = await feed.readLog(tenantId, jobId, position, () => signal.aborted);
    if (page === undefined) return;
    const lines =
      before === null ? page.lines : page.lines.filter((line) => compareLogPositions(line, before) < 0);
    if (lines.length > 0) {
      const bytes = Buffer.from(lines.map((line) => `${textOf(line)}\n`).join(''));
      charge(bytes.length);
      yield bytes;
    }
    const last = lines.at(-1);
    if (!page.isFull || last === undefined || lines.length < page.lines.length) return;
    position = last;
  }
}
