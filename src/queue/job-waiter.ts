import { DomainError } from '../core/errors.ts';
import type { LabeledJob } from '../core/job.ts';
import { WATCH_CHANNEL } from '../db/channels.ts';
import type { Database } from '../db/database.ts';
import type { Listener } from '../db/listener.ts';
import { type LabeledJobRow, toLabeledJob } from '../db/rows.ts';
import { findFinalJobs } from '../db/sql/queue/find-final-jobs.ts';

export interface WaitOptions {
  /** More than 0, at most 86,400. */
  readonly timeoutSeconds: number;
  readonly signal?: AbortSignal;
}

export interface JobWaiterDeps {
  readonly database: Database;
  /** Listens on the watch channel; the code that made it starts and stops it. Null: the waiter only polls. */
  readonly listener: Listener | null;
  /** How often to look without a notification; 500 by default. */
  readonly pollMs?: number;
}

/** Notifications come as often as every 10 ms; a look is not repeated more often than that. */
const LEAST_PAUSE_MS = 10;
const MAX_TIMEOUT_SECONDS = 86_400;

interface Waiting {
  readonly jobId: string;
  readonly resolve: (job: LabeledJob) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Waits for jobs to end, for all callers of a process together: one statement looks for all of them, at a
 * notification and every half second. It does nothing while nobody waits.
 */
export class JobWaiter {
  readonly #database: Database;
  readonly #pollMs: number;
  readonly #unsubscribe: readonly (() => void)[];
  readonly #waiting = new Set<Waiting>();
  #timer: NodeJS.Timeout | undefined;
  #looking = false;
  #askedMeanwhile = false;
  #closed = false;

  constructor({ database, listener, pollMs = 500 }: JobWaiterDeps) {
    this.#database = database;
    this.#pollMs = pollMs;
    const look = (): void => this.#look();
    this.#unsubscribe = listener === null ? [] : [listener.on(WATCH_CHANNEL, look), listener.onConnect(look)];
  }

  /**
   * Resolves with the job once it has ended, however it ended. The caller has made sure that it may see the
   * job.
   * @throws DomainError `WaitTimeout` when it has not ended by then (it goes on), `InvalidArgument` for a
   *   time out of range; the signal's reason when that is aborted
   */
  async wait(jobId: string, options: WaitOptions): Promise<LabeledJob> {
    checkWait(options);
    const { timeoutSeconds, signal } = options;
    const { promise, resolve, reject } = Promise.withResolvers<LabeledJob>();
    if (this.#closed) throw new Error('The waiter is closed.');
    const waiting: Waiting = { jobId, resolve, reject };
    const aborted = (): void => reject(signal?.reason);
    const timer = setTimeout(() => reject(waitTimeout(jobId, timeoutSeconds)), timeoutSeconds * 1000);
    signal?.addEventListener('abort', aborted, { once: true });
    this.#waiting.add(waiting);
    this.#look();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
      this.#waiting.delete(waiting);
      if (this.#waiting.size === 0) this.#disarm();
    }
  }

  /** Everybody who still waits is notified; leaves no timer. */
  close(): void {
    this.#closed = true;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#disarm();
    for (const { reject } of this.#waiting) reject(new Error('The waiter was closed.'));
  }

  #look(): void {
    if (this.#waiting.size === 0 || this.#closed) return;
    if (this.#looking) {
      this.#askedMeanwhile = true;
      return;
    }
    this.#looking = true;
    this.#askedMeanwhile = false;
    this.#disarm();
    void this.#lookOnce().finally(() => {
      this.#looking = false;
      this.#arm(this.#askedMeanwhile ? LEAST_PAUSE_MS : this.#pollMs);
    });
  }

  async #lookOnce(): Promise<void> {
    try {
      const ids = [...new Set([...this.#waiting].map(({ jobId }) => jobId))];
      const { rows } = await this.#database.asWorker<LabeledJobRow>(findFinalJobs, [ids]);
      const ended = new Map(rows.map((row) => [row.id, row]));
      for (const { jobId, resolve } of this.#waiting) {
        const row = ended.get(jobId);
        if (row !== undefined) resolve(toLabeledJob(row));
      }
    } catch {
      // The database is away: the next look, or the caller's timeout.
    }
  }

  #arm(delayMs: number): void {
    this.#disarm();
    if (this.#waiting.size > 0 && !this.#closed) this.#timer = setTimeout(() => this.#look(), delayMs);
  }

  #disarm(): void {
    clearTimeout(this.#timer);
  }
}

/** @throws DomainError `InvalidArgument`; the signal's reason when it is aborted already */
export function checkWait({ timeoutSeconds, signal }: WaitOptions): void {
  signal?.throwIfAborted();
  if (timeoutSeconds > 0 && timeoutSeconds <= MAX_TIMEOUT_SECONDS) return;
  const allowed = `more than 0, at most ${MAX_TIMEOUT_SECONDS}`;
  throw new DomainError('InvalidArgument', `timeoutSeconds is ${timeoutSeconds}; allowed: ${allowed}.`, {
    field: 'timeoutSeconds',
    allowed,
  });
}

function waitTimeout(jobId: string, timeoutSeconds: number): DomainError {
  return new DomainError('WaitTimeout', `Job ${jobId} had not ended after ${timeoutSeconds} s; it goes on.`, {
    jobId,
    timeoutSeconds,
  });
}
