import { setTimeout as sleep } from 'node:timers/promises';
import { toError } from '../../src/core/errors.ts';
import { JOB_LOG_LEVELS, type JobLogLevel, type JobLogLimits } from '../../src/core/job-log.ts';
import type { LogLinesResult, RunRecords } from '../../src/core/run-records.ts';
import { LOG_CHANNEL } from '../../src/db/channels.ts';
import { logNotification } from '../../src/db/log-notification.ts';
import type { Notifier } from '../../src/db/notifier.ts';
import { createOutageLog, type OutageLog } from '../../src/db/outage-log.ts';
import { refusesData } from '../../src/db/retryable.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import type { WorkerMetrics } from '../../src/telemetry/worker-metrics.ts';
import { LogBatch } from './log-batch.ts';
import type { Run } from './run.ts';
import { type LogLossReason, RunLog } from './run-log.ts';

export interface JobLogWriterDeps {
  readonly queue: Pick<RunRecords, 'storeLogLines'>;
  readonly notifier: Notifier;
  readonly log: Logger;
  readonly limits: JobLogLimits;
  readonly metrics?: Pick<WorkerMetrics, 'logLinesLost'> | undefined;
  /** Called when lines were stored and `hasRoom` holds again. */
  readonly onRoom?: () => void;
  /** Fires when the process cannot wait for the database any longer. */
  readonly abandon: AbortSignal;
}

/** A line waits at most so long for others to be written with it. */
const FLUSH_EVERY_MS = 200;
const RETRY_MS = 200;
/** With this part of `maxPendingBytes` taken no further run begins: those at work have the rest. */
const ROOM_SHARE = 0.25;
const REPORT_LOSS_EVERY_MS = 60_000;

/**
 * The log lines of this process's runs on their way into the table: those of all runs in one statement, five
 * times a second, and what is left of a run before its end is written. Lines that could not be written are
 * kept and written later.
 */
export class JobLogWriter {
  readonly #deps: JobLogWriterDeps;
  readonly #leastRank: number;
  readonly #outages: OutageLog;
  readonly #logs = new Map<Run, RunLog>();
  /** Their handlers may still be at work, given up, and say something: it would begin again at line 1. */
  readonly #finished = new WeakSet<Run>();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();
  #flushedMs = Number.NEGATIVE_INFINITY;
  readonly #waiting: (() => void)[] = [];
  #pendingBytes = 0;
  #lostCount = 0;
  #reportedMs = Number.NEGATIVE_INFINITY;

  constructor(deps: JobLogWriterDeps) {
    this.#deps = deps;
    const { level } = deps.limits;
    this.#leastRank = level === 'off' ? JOB_LOG_LEVELS.length : JOB_LOG_LEVELS.indexOf(level);
    this.#outages = createOutageLog(deps.log, 'job log');
  }

  /** False while so much waits to be stored that no further run is to begin. */
  get hasRoom(): boolean {
    return this.#pendingBytes < ROOM_SHARE * this.#deps.limits.maxPendingBytes;
  }

  /**
   * Calls it as soon as there is room, one after the other: what one begins may take the room of the next.
   */
  whenRoom(begin: () => void, failed: (error: unknown) => void): void {
    this.#waiting.push(() => {
      try {
        begin();
      } catch (error) {
        failed(error);
      }
    });
    this.#letBegin();
  }

  #letBegin(): void {
    while (this.hasRoom) {
      const begin = this.#waiting.shift();
      if (begin === undefined) return;
      begin();
    }
  }

  /** Memory that unsent lines of all runs take. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Takes a line of a run whose handler is at work. Never throws. */
  note(run: Run, level: JobLogLevel, message: string, data?: Readonly<Record<string, unknown>>): void {
    if (JOB_LOG_LEVELS.indexOf(level) < this.#leastRank || run.phase !== 'running' || run.lost) return;
    const log = this.#logOf(run);
    if (log === undefined) return;
    this.#changing(log, () =>
      log.note(level, message, data, this.#pendingBytes < this.#deps.limits.maxPendingBytes),
    );
    if (log.pendingCount > 0) this.#arm(0);
  }

  #logOf(run: Run): RunLog | undefined {
    const known = this.#logs.get(run);
    if (known !== undefined || this.#finished.has(run)) return known;
    const log = new RunLog(run, this.#deps.limits, (reason, count) => this.#noteLoss(run, reason, count));
    this.#logs.set(run, log);
    return log;
  }

  /**
   * Stores what is left of a run that ends, before its settlement takes the lease away; waits for the
   * database as the settlement does. Undefined when the run has logged nothing: then there is nothing to wait
   * for.
   */
  finish(run: Run): Promise<void> | undefined {
    const log = this.#logs.get(run);
    return log === undefined ? undefined : this.#finish(log);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#logs.clear();
  }

  async #finish(log: RunLog): Promise<void> {
    const { abandon } = this.#deps;
    this.#changing(log, () => log.close());
    while (log.pendingCount > 0 && !log.run.lost && !abandon.aborted) {
      const before = log.pendingCount;
      await this.#flush();
      if (log.pendingCount < before) continue;
      await sleep(RETRY_MS, undefined, { signal: abandon }).catch(() => undefined);
    }
    this.#changing(log, () => log.discard());
    this.#finished.add(log.run);
    this.#logs.delete(log.run);
  }

  #arm(leastMs: number): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        void this.#flush();
      },
      Math.max(leastMs, this.#flushedMs + FLUSH_EVERY_MS - performance.now()),
    );
  }

  #flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  /** Writes as many lines as waited at the beginning; what cannot be written now is tried again later. */
  async #write(): Promise<void> {
    this.#flushedMs = performance.now();
    let waiting = [...this.#logs.values()].filter((log) => log.pendingCount > 0);
    let left = waiting.reduce((sum, log) => sum + log.pendingCount, 0);
    while (waiting.length > 0 && left > 0) {
      const batch = LogBatch.of(waiting);
      left -= batch.lineCount;
      try {
        const results = await this.#deps.queue.storeLogLines(batch.runs());
        this.#outages.recovered();
        waiting = this.#take(batch, results, waiting);
      } catch (error) {
        if (refusesData(error)) this.#refused(batch, toError(error));
        else {
          this.#outages.failed(toError(error));
          break;
        }
      }
    }
    if ([...this.#logs.values()].some((log) => log.pendingCount > 0)) this.#arm(RETRY_MS);
  }

  /** @returns the logs to go on with: those whose job somebody else holds this moment come next time */
  #take(batch: LogBatch, results: readonly LogLinesResult[], waiting: readonly RunLog[]): RunLog[] {
    const busy = new Set<RunLog>();
    const storedIds: string[] = [];
    for (const [index, { log, lines }] of batch.parts.entries()) {
      const result = results[index];
      if (result === 'lost') {
        this.#changing(log, () => log.discard());
        log.run.lose();
      } else if (result === 'stored') {
        this.#changing(log, () => log.stored(lines.length));
        storedIds.push(log.run.claimed.lease.jobId);
      } else busy.add(log);
    }
    if (storedIds.length > 0) this.#deps.notifier.notify(LOG_CHANNEL, logNotification(storedIds));
    return waiting.filter((log) => log.pendingCount > 0 && !busy.has(log));
  }

  /** Cleaned text is never refused, as far as we know; if some is, a line is lost and not the job. */
  #refused(batch: LogBatch, error: Error): void {
    for (const { log, lines } of batch.parts) this.#changing(log, () => log.refused(lines.length));
    this.#deps.log.error({ err: error, lines: batch.lineCount }, 'job log: the database refuses lines');
  }

  #changing(log: RunLog, change: () => void): void {
    const before = log.pendingBytes;
    const hadRoom = this.hasRoom;
    change();
    this.#pendingBytes += log.pendingBytes - before;
    if (hadRoom || !this.hasRoom) return;
    this.#letBegin();
    this.#deps.onRoom?.();
  }

  /**
   * A run's own limit is its business; what the process or the database loses is one line of the process's
   * log a minute.
   */
  #noteLoss(run: Run, reason: LogLossReason, lineCount: number): void {
    this.#deps.metrics?.logLinesLost(reason, lineCount);
    if (reason === 'limit') return;
    this.#lostCount += lineCount;
    if (performance.now() - this.#reportedMs < REPORT_LOSS_EVERY_MS) return;
    this.#reportedMs = performance.now();
    this.#deps.log.warn(
      {
        job_id: run.claimed.lease.jobId,
        reason,
        lost_lines: this.#lostCount,
        pending_bytes: this.#pendingBytes,
      },
      'job log: lines of jobs are lost; their logs say how many',
    );
    this.#lostCount = 0;
  }
}
