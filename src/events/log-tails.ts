import { toError } from '../core/errors.ts';
import type { LogPosition } from '../core/job-log.ts';
import { LOG_CHANNEL } from '../db/channels.ts';
import type { Listener } from '../db/listener.ts';
import { jobsOfLogNotification } from '../db/log-notification.ts';
import { createOutageLog, type OutageLog } from '../db/outage-log.ts';
import type { Logger } from '../telemetry/log.ts';
import type { SubscriptionHost } from './feed-subscriber.ts';
import { LOG_PAGE_LINES, type LogPage, type LogReader } from './log-reader.ts';
import { LogTail } from './log-tail.ts';
import { retryDuringOutage } from './retry-during-outage.ts';
import { Semaphore } from './semaphore.ts';
import type { Wake } from './wake.ts';

/** Reads of logs that run at a time; they share the pool with everything else. */
const READS_AT_A_TIME = 4;
/**
 * Lines that one log's tail keeps: fewer where many logs are followed, and never less than one event takes.
 */
const WINDOW_LINES = { most: LOG_PAGE_LINES, least: 100, inAll: 30_000 } as const;

export interface LogTailsOptions {
  readonly host: SubscriptionHost;
  readonly reader: LogReader;
  /** Must listen on the log channel as well; null: polling alone. */
  readonly listener: Listener | null;
  readonly log: Logger;
  readonly pollIntervalMs: number;
}

/**
 * The logs that this process's subscribers follow, one tail a job. The notification names which of them have
 * grown; a poll, one statement for all of them, is the net under it. Nothing is asked while nobody follows a
 * log.
 */
export class LogTails {
  readonly #options: LogTailsOptions;
  readonly #outages: OutageLog;
  readonly #semaphore = new Semaphore(READS_AT_A_TIME);
  readonly #tails = new Map<string, LogTail>();
  readonly #unsubscribe: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;

  constructor(options: LogTailsOptions) {
    this.#options = options;
    this.#outages = createOutageLog(options.log, 'job log');
  }

  /**
   * The tail of a job's log; the first caller says where it begins. `wake` is signalled when there may be
   * more, until `leave`.
   */
  watch(tenantId: string, jobId: string, from: LogPosition, wake: Wake): LogTail {
    const key = `${tenantId}:${jobId}`;
    let tail = this.#tails.get(key);
    if (tail === undefined) {
      const { host, reader } = this.#options;
      tail = new LogTail(
        {
          reader,
          semaphore: this.#semaphore,
          outages: this.#outages,
          windowLines: () => this.#windowLines,
        },
        tenantId,
        jobId,
        from,
      );
      this.#tails.set(key, tail);
      this.#listen();
      // Its end is a change of the job, which the feed brings; what came before the tail hung there is read
      // now.
      host.join(tail);
      const hung = tail;
      void host.attach(tail).then(() => hung.stale());
    }
    tail.waiting.add(wake);
    tail.stale();
    return tail;
  }

  leave(tail: LogTail, wake: Wake): void {
    tail.waiting.delete(wake);
    if (tail.waiting.size > 0) return;
    tail.end();
    this.#options.host.leave(tail);
    this.#tails.delete(`${tail.tenantId}:${tail.jobId}`);
    if (this.#tails.size === 0) this.stop();
  }

  /**
   * For a subscriber that is behind what is kept; undefined once it is over. Rejects with what nobody can
   * wait out.
   */
  readPage(
    tenantId: string,
    jobId: string,
    after: LogPosition,
    isOver: () => boolean,
  ): Promise<LogPage | undefined> {
    const read = (): Promise<LogPage> => this.#options.reader.page(tenantId, jobId, after);
    return retryDuringOutage(() => this.#semaphore.run(read), this.#outages, isOver);
  }

  get #windowLines(): number {
    const { most, least, inAll } = WINDOW_LINES;
    return Math.min(most, Math.max(least, Math.floor(inAll / this.#tails.size)));
  }

  /** Logs that are followed. */
  get tailCount(): number {
    return this.#tails.size;
  }

  /** Those who follow them. */
  get followerCount(): number {
    let count = 0;
    for (const tail of this.#tails.values()) count += tail.waiting.size;
    return count;
  }

  /** Listens and polls no more, until somebody follows a log again. */
  stop(): void {
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #listen(): void {
    if (this.#timer !== undefined) return;
    const { listener, pollIntervalMs } = this.#options;
    if (listener !== null) {
      this.#unsubscribe.push(
        listener.on(LOG_CHANNEL, (payload) => this.#notified(payload)),
        listener.onConnect(() => this.#allStale()),
      );
    }
    this.#timer = setInterval(() => this.#poll(), pollIntervalMs);
  }

  #notified(payload: string): void {
    const jobIds = jobsOfLogNotification(payload);
    if (jobIds === null) {
      this.#poll();
      return;
    }
    const notified = new Set(jobIds);
    for (const tail of this.#tails.values()) if (notified.has(tail.jobId)) tail.stale();
  }

  #allStale(): void {
    for (const tail of this.#tails.values()) tail.stale();
  }

  #poll(): void {
    this.#polling ??= this.#look().finally(() => {
      this.#polling = undefined;
    });
  }

  async #look(): Promise<void> {
    const resting = [...this.#tails.values()].filter((tail) => tail.settledJob !== null);
    if (resting.length === 0) return;
    try {
      const grown = await this.#options.reader.grown(
        resting.map(({ jobId, newest }) => ({ jobId, end: newest })),
      );
      this.#outages.recovered();
      const ids = new Set(grown);
      for (const tail of resting) if (ids.has(tail.jobId)) tail.stale();
    } catch (error) {
      this.#outages.failed(toError(error));
    }
  }
}
