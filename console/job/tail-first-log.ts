import type {
  JobLogLine,
  LogState,
  MillraceClient,
  View,
  Watch,
  WatchStatus,
} from '../../src/client/index.ts';
import { JobLogTail } from '../api/operations.gen.ts';
import { run } from '../api/run.ts';

/** As many as one page of the API holds. */
const TAIL_LINES = 100;

export interface ShownLog {
  /** Oldest first: the end of the log alone while `isReadingOlder`. */
  readonly lines: readonly JobLogLine[];
  /** Lines before those, which are not kept. */
  readonly droppedCount: number;
  readonly isReadingOlder: boolean;
  /** Undefined before the end of the log has come. */
  readonly connection: WatchStatus | undefined;
}

const NOTHING: ShownLog = { lines: [], droppedCount: 0, isReadingOlder: false, connection: undefined };

/**
 * A job's log in the order that a reader wants it: its end by one request, what is written from then on live, and all that was before
 * in one piece once it is there. However long the log is, its listeners are notified of the older lines once.
 */
export class TailFirstLog {
  readonly #client: MillraceClient;
  readonly #jobId: string;
  readonly #maxLines: number;
  readonly #listeners = new Set<() => void>();
  readonly #ending = new AbortController();
  #tail: readonly JobLogLine[] = [];
  #older: readonly JobLogLine[] = [];
  #droppedCount = 0;
  #isReadingOlder = false;
  #newer: View<LogState> | null = null;
  #state: ShownLog | null = NOTHING;

  /** @param maxLines older ones than the last N are not kept */
  constructor(client: MillraceClient, jobId: string, maxLines: number) {
    this.#client = client;
    this.#jobId = jobId;
    this.#maxLines = maxLines;
    void this.#begin();
  }

  /** The same object as long as nothing has changed. */
  get state(): ShownLog {
    this.#state ??= this.#shown();
    return this.#state;
  }

  /** @returns stops the notifications */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#listeners.clear();
    this.#ending.abort();
    this.#newer?.close();
  }

  async #begin(): Promise<void> {
    const { signal } = this.#ending;
    // Without it the stream brings the log from its beginning, and says itself what is wrong.
    const found = await run(this.#client, JobLogTail, { id: this.#jobId, last: TAIL_LINES }, signal).catch(
      () => null,
    );
    if (signal.aborted) return;
    const log = found?.job?.log;
    this.#tail = log?.nodes ?? [];
    const after = this.#tail.at(-1)?.cursor ?? null;
    this.#newer = this.#client.viewJobLog(this.#jobId, { maxLines: this.#maxLines, after });
    this.#newer.subscribe(() => this.#changed());
    this.#isReadingOlder = log?.pageInfo.hasPreviousPage ?? false;
    this.#changed();
    if (!this.#isReadingOlder) return;
    await this.#readOlder(this.#client.watchJobLog(this.#jobId, { untilFinal: false, signal }));
  }

  async #readOlder(watch: Watch<JobLogLine>): Promise<void> {
    const end = this.#tail[0]?.cursor;
    const lines: JobLogLine[] = [];
    try {
      for await (const line of watch) {
        if (line.cursor === end) break;
        lines.push(line);
        // Dropped in lots: moving them all for each line would be slow.
        if (lines.length > this.#maxLines * 2)
          this.#droppedCount += lines.splice(0, lines.length - this.#maxLines).length;
      }
    } catch {
      // Closed, or what cannot go on, which the stream of newer lines says.
    }
    if (this.#ending.signal.aborted) return;
    this.#older = lines;
    this.#isReadingOlder = false;
    this.#changed();
  }

  #shown(): ShownLog {
    const newer = this.#newer?.state;
    const all = [...this.#older, ...this.#tail, ...(newer?.lines ?? [])];
    const lines = all.slice(-this.#maxLines);
    return {
      lines,
      droppedCount: this.#droppedCount + (newer?.droppedCount ?? 0) + all.length - lines.length,
      isReadingOlder: this.#isReadingOlder,
      connection: newer?.connection,
    };
  }

  #changed(): void {
    this.#state = null;
    for (const listener of [...this.#listeners]) listener();
  }
}
