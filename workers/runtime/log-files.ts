import { toError } from '../../src/core/errors.ts';
import type { ClaimedJob, Finish } from '../../src/core/queue.ts';
import type { RunRecords } from '../../src/core/run-records.ts';
import type { ObjectStore } from '../../src/storage/object-store.ts';
import { pipelineLogKey } from '../../src/storage/pipeline-log-key.ts';
import { putBytes } from '../../src/storage/put-bytes.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import { logDocument, MAX_FILE_LINES } from './log-document.ts';

export interface LogFilesDeps {
  readonly queue: Pick<RunRecords, 'jobRecord'>;
  readonly storage: Pick<ObjectStore, 'put'>;
  readonly log: Logger;
  /** Definitions whose jobs have such files. */
  readonly loggedKeys: ReadonlySet<string>;
}

/**
 * Jobs whose files wait to be written, while the store is away or slow; those beyond are left out and
 * counted.
 */
const MAX_WAITING = 1_000;
/** What a stop gives the files that are still to be written. */
const CLOSE_MS = 5_000;

/**
 * Writes `logs/pipeline/{job_id}.json` after each run of a pipeline job. The file is made from the job's rows
 * and not from this process's memory: so it has the runs of other workers too, and nothing in it is more than
 * the job's own log shows, secrets left out. No job waits for it, and none fails of it: what cannot be
 * written is warned of, and written with the next run.
 */
export class LogFiles {
  readonly #deps: LogFilesDeps;
  /** In the order in which they ended; a job that ends twice meanwhile is written once. */
  readonly #waiting = new Set<string>();
  readonly #closing = new AbortController();
  #leftOut = 0;
  #writing: Promise<void> | null = null;

  constructor(deps: LogFilesDeps) {
    this.#deps = deps;
  }

  /** Takes note of a run whose end is in the database. Never throws and never waits. */
  ended({ definitionKey, lease }: Pick<ClaimedJob, 'definitionKey' | 'lease'>, finish: Finish): void {
    if (
      finish.kind === 'handBack' ||
      !this.#deps.loggedKeys.has(definitionKey) ||
      this.#closing.signal.aborted
    )
      return;
    if (this.#waiting.size >= MAX_WAITING && !this.#waiting.has(lease.jobId)) {
      this.#leftOut++;
      return;
    }
    this.#waiting.add(lease.jobId);
    this.#writing ??= this.#writeAll();
  }

  /** Writes what waits, for five seconds at most. */
  async close(): Promise<void> {
    const timer = setTimeout(() => this.#closing.abort(new Error('the worker stops')), CLOSE_MS);
    await this.#writing;
    clearTimeout(timer);
    this.#closing.abort();
  }

  async #writeAll(): Promise<void> {
    // Not within the turn of the run that has just ended.
    await Promise.resolve();
    for (const jobId of this.#waiting) {
      this.#waiting.delete(jobId);
      await this.#write(jobId);
    }
    this.#writing = null;
    if (this.#leftOut === 0) return;
    this.#deps.log.warn({ jobs: this.#leftOut }, 'pipeline logs: left out while the store was slow');
    this.#leftOut = 0;
  }

  async #write(jobId: string): Promise<void> {
    const { queue, storage, log } = this.#deps;
    const { signal } = this.#closing;
    try {
      signal.throwIfAborted();
      const record = await queue.jobRecord(jobId, MAX_FILE_LINES);
      // Deleted meanwhile: its file would outlive it.
      if (record === null) return;
      const options = { contentType: 'application/json', signal };
      await putBytes(storage, pipelineLogKey(jobId), logDocument(record), options);
    } catch (error) {
      log.warn({ job_id: jobId, reason: toError(error).message }, 'pipeline logs: a file was not written');
    }
  }
}
