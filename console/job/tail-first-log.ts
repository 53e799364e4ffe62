import {
  type JobLogLine,
  type LogState,
  type MillraceClient,
  MillraceError,
  type View,
  type WatchStatus,
} from '../../src/client/index.ts';
import { JobLogTail } from '../api/operations.gen.ts';
import { run } from '../api/run.ts';
import type { LogLineShown } from './shown-line.ts';
import { readLinesBefore } from './whole-log.ts';

/** As many as one page of the API holds. */
const TAIL_LINES = 100;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

export interface ShownLog {
  /** Oldest first: the end of the log alone while `isReadingOlder`. */
  readonly lines: readonly LogLineShown[];
  /** Lines before those, which are not kept. */
  readonly droppedCount: number;
  readonly isReadingOlder: boolean;
  /** Why the lines before those could not be read. */
  readonly olderError: unknown;
  /** Undefined before the end of the log has come. */
  readonly connection: WatchStatus | undefined;
}

const NOTHING: ShownLog = {
  lines: [],
  droppedCount: 0,
  isReadingOlder: false,
  olderError: null,
  connection: undefined,
};

/**
 * A job's log in the order that a reader wants it: its end by one request, what is written from then on live,
 * and all that was before in one piece once it is there. However long the log is, its listeners are notified
 * of the older lines once.
 */
export class TailFirstLog {
  readonly #client: MillraceClient;
  readonly #jobId: string;
  readonly #maxLines: number;
  readonly #listeners = new Set<() => void>();
  readonly #ending = new AbortController();
  #tail: readonly JobLogLine[] = [];
  #older: readonly LogLineShown[] = [];
  #droppedCount = 0;
  #isReadingOlder = false;
  #olderError: unknown = null;
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
    const before = this.#tail[0]?.cursor;
    if (this.#isReadingOlder && before !== undefined) await this.#readOlder(before);
  }

  /** Again after a while where the connection has broken. */
  async #readOlder(before: string): Promise<void> {
    const { signal } = this.#ending;
    for (let waitMs = FIRST_WAIT_MS; this.#isReadingOlder; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
      try {
        await this.#readOnce(before);
        this.#isReadingOlder = false;
      } catch (error) {
        if (error instanceof MillraceError && !error.isRetryable) {
          this.#olderError = error;
          this.#isReadingOlder = false;
        } else await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
      if (signal.aborted) return;
    }
    this.#changed();
  }

  async #readOnce(before: string): Promise<void> {
    let droppedCount = 0;
    const lines: LogLineShown[] = [];
    await readLinesBefore(this.#jobId, before, this.#ending.signal, (piece) => {
      for (const line of piece) lines.push(line);
      // Dropped in lots: moving them all for each line would be slow.
      if (lines.length > this.#maxLines * 2)
        droppedCount += lines.splice(0, lines.length - this.#maxLines).length;
    });
    this.#older = lines;
    this.#droppedCount = droppedCount;
  }

  #shown(): ShownLog {
    const newer = this.#newer?.state;
    const all = [...this.#older, ...this.#tail, ...(newer?.lines ?? [])];
    const lines = all.slice(-this.#maxLines);
    return {
      lines,
      droppedCount: this.#droppedCount + (newer?.droppedCount ?? 0) + all.length - lines.length,
      isReadingOlder: this.#isReadingOlder,
      olderError: this.#olderError,
      connection: newer?.connection,
    };
  }

  #changed(): void {
    this.#state = null;
    for (const listener of [...this.#listeners]) listener();
  }
}
