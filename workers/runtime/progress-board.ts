import { boundText, cleanText } from '../../src/core/clean-text.ts';
import { toError } from '../../src/core/errors.ts';
import type { Bell } from '../../src/db/bell.ts';
import { WATCH_CHANNEL } from '../../src/db/channels.ts';
import type { Database } from '../../src/db/database.ts';
import { upsertProgress } from '../../src/db/sql/worker/upsert-progress.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import type { ProgressUpdate } from '../handler.ts';
import type { Run } from './run.ts';

type Progress = Required<ProgressUpdate>;

interface Noted {
  readonly run: Run;
  progress: Progress;
  dirty: boolean;
}

const NOTHING: Progress = { percent: null, stage: null, message: null, etaSeconds: null };
/** Two or three times a second is all that an eye can use. */
const FLUSH_EVERY_MS = 300;

/**
 * What the handlers of this process say about how far they are: the newest of each run, written for all of them in one
 * statement. Progress that cannot be written is dropped; newer follows.
 */
export class ProgressBoard {
  readonly #database: Database;
  readonly #bell: Bell;
  readonly #log: Logger;
  readonly #noted = new Map<string, Noted>();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();
  #flushedMs = Number.NEGATIVE_INFINITY;

  constructor(database: Database, bell: Bell, log: Logger) {
    this.#database = database;
    this.#bell = bell;
    this.#log = log;
  }

  /** Takes an update; fields that it leaves away stay as they were. */
  note(run: Run, update: ProgressUpdate): void {
    if (run.phase !== 'running') return;
    const noted = this.#noted.get(run.key) ?? { run, progress: NOTHING, dirty: false };
    noted.progress = merge(noted.progress, update);
    noted.dirty = true;
    this.#noted.set(run.key, noted);
    // The first after a pause goes out at once, so that a quick job is seen too.
    this.#timer ??= setTimeout(
      () => this.#tick(),
      Math.max(0, this.#flushedMs + FLUSH_EVERY_MS - performance.now()),
    );
  }

  /**
   * Writes the last word of a run that ends, before its settlement takes the lease away. That of a run shorter than a
   * flush is dropped: nobody could have seen it, and a write for each of many small jobs would cost as much as they do.
   */
  async finish(run: Run): Promise<void> {
    const noted = this.#noted.get(run.key);
    if (noted === undefined) return;
    if (noted.dirty && !run.lost && run.measure().wallMs >= FLUSH_EVERY_MS) await this.#flush();
    this.#noted.delete(run.key);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#noted.clear();
  }

  #tick(): void {
    this.#timer = undefined;
    void this.#flush();
  }

  #flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  async #write(): Promise<void> {
    const dirty = [...this.#noted.values()].filter((noted) => noted.dirty);
    if (dirty.length === 0) return;
    for (const noted of dirty) noted.dirty = false;
    this.#flushedMs = performance.now();
    try {
      await this.#database.asWorker(upsertProgress, [
        dirty.map(({ run }) => run.claimed.lease.jobId),
        dirty.map(({ run }) => run.claimed.lease.runNo),
        dirty.map(({ run }) => run.claimed.lease.token),
        dirty.map(({ progress }) => progress.percent),
        dirty.map(({ progress }) => progress.stage),
        dirty.map(({ progress }) => progress.message),
        dirty.map(({ progress }) => progress.etaSeconds),
      ]);
      this.#bell.ring(WATCH_CHANNEL);
    } catch (error) {
      this.#log.debug({ reason: toError(error).message, runs: dirty.length }, 'progress: dropped');
    }
  }
}

function merge(before: Progress, update: ProgressUpdate): Progress {
  return {
    percent: update.percent === undefined ? before.percent : clamp(update.percent, 100),
    stage: update.stage === undefined ? before.stage : text(update.stage, 200),
    message: update.message === undefined ? before.message : text(update.message, 2_000),
    etaSeconds: update.etaSeconds === undefined ? before.etaSeconds : clamp(update.etaSeconds, 1e9),
  };
}

function clamp(value: number | null, max: number): number | null {
  return value === null || Number.isNaN(value) ? null : Math.min(max, Math.max(0, value));
}

function text(value: string | null, maxLength: number): string | null {
  return value === null ? null : boundText(cleanText(value), maxLength);
}
