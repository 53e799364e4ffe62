import { toError } from '../../src/core/errors.ts';
import type { RunRecords } from '../../src/core/run-records.ts';
import { WATCH_CHANNEL } from '../../src/db/channels.ts';
import type { Notifier } from '../../src/db/notifier.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import type { ProgressUpdate } from '../handler.ts';
import { NotedProgress } from './noted-progress.ts';
import type { Run } from './run.ts';

interface Noted {
  readonly run: Run;
  readonly said: NotedProgress;
}

/** Two or three times a second is all that an eye can use. */
const FLUSH_EVERY_MS = 300;

/**
 * What the handlers of this process say about how far they are: the newest of each run, written for all of
 * them in one statement. Progress that cannot be written is dropped; newer follows.
 */
export class ProgressWriter {
  readonly #queue: Pick<RunRecords, 'storeProgress'>;
  readonly #notifier: Notifier;
  readonly #log: Logger;
  readonly #noted = new Map<Run, Noted>();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();
  #flushedMs = Number.NEGATIVE_INFINITY;

  constructor(queue: Pick<RunRecords, 'storeProgress'>, notifier: Notifier, log: Logger) {
    this.#queue = queue;
    this.#notifier = notifier;
    this.#log = log;
  }

  /**
   * Takes an update; fields that it omits stay as they were. Never throws: no job fails for what it says of
   * itself.
   */
  note(run: Run, update: ProgressUpdate): void {
    try {
      this.#note(run, update);
    } catch (thrown) {
      this.#log.warn(
        { job_id: run.claimed.lease.jobId, reason: toError(thrown).message },
        'progress: an update cannot be read',
      );
    }
  }

  #note(run: Run, update: ProgressUpdate): void {
    if (run.phase !== 'running' || run.isProgressOver) return;
    let noted = this.#noted.get(run);
    if (noted === undefined) {
      noted = { run, said: new NotedProgress() };
      this.#noted.set(run, noted);
    }
    noted.said.note(update, performance.now());
    if (!noted.said.isDirty) return;
    // The first after a pause goes out at once, so that a quick job is seen too.
    this.#timer ??= setTimeout(
      () => this.#tick(),
      Math.max(0, this.#flushedMs + FLUSH_EVERY_MS - performance.now()),
    );
  }

  /**
   * Writes the last word of a run that ends, before its settlement takes the lease away. That of a run
   * shorter than a flush is dropped: nobody could have seen it, and a write for each of many small jobs would
   * cost as much as they do. Undefined when the run has said nothing: then there is nothing to wait for.
   * A handler that was given up may go on speaking while the run's log is stored: it would begin again, over
   * what is written.
   */
  finish(run: Run): Promise<void> | undefined {
    run.isProgressOver = true;
    const noted = this.#noted.get(run);
    return noted === undefined ? undefined : this.#finish(run, noted);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#noted.clear();
  }

  async #finish(run: Run, noted: Noted): Promise<void> {
    if (noted.said.isDirty && !run.lost && run.measure().wallMs >= FLUSH_EVERY_MS) await this.#flush();
    this.#noted.delete(run);
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
    const dirty = [...this.#noted.values()].filter(({ said }) => said.isDirty);
    if (dirty.length === 0) return;
    const nowMs = performance.now();
    this.#flushedMs = nowMs;
    const progress = dirty.map(({ run, said }) => ({ lease: run.claimed.lease, ...said.take(nowMs) }));
    try {
      await this.#queue.storeProgress(progress);
      this.#notifier.notify(WATCH_CHANNEL);
    } catch (error) {
      this.#log.debug({ reason: toError(error).message, runs: dirty.length }, 'progress: dropped');
    }
  }
}
