import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '../../src/core/job.ts';
import type { JobLogLevel } from '../../src/core/job-log.ts';
import { lostLease } from '../../src/core/lost-lease.ts';
import type { Lease, WorkerQueue } from '../../src/core/queue.ts';
import { verdictOf } from '../../src/db/retryable.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import type { ArtifactLookup, HandlerContext, JobLog, Tools } from '../handler.ts';
import type { Stores } from '../stores.ts';
import type { LogBook } from './log-book.ts';
import type { ProgressBoard } from './progress-board.ts';
import type { Run } from './run.ts';

export interface ContextDeps {
  readonly queue: WorkerQueue;
  readonly progress: ProgressBoard;
  readonly logs: LogBook;
  readonly artifactsOf: (job: Job) => ArtifactLookup;
  readonly storesOf: (job: Job, lease: Lease) => Stores;
}

const FENCE_RETRY_MS = 200;

/** All that a handler sees of its run. */
export function createContext(
  run: Run,
  payload: unknown,
  tools: Tools,
  logOf: () => Logger,
  deps: ContextDeps,
): HandlerContext {
  const { job, definitionKey } = run.claimed;
  // What a small job does not ask for is not made.
  let log: JobLog | undefined;
  let artifacts: ArtifactLookup | undefined;
  let stores: Stores | undefined;
  return {
    jobId: job.id,
    tenantId: job.tenantId,
    definitionKey,
    payload,
    subject: job.subject,
    runNo: job.runNo,
    attemptCount: job.attemptCount,
    get signal() {
      return run.signal;
    },
    get log() {
      log ??= jobLog(run, logOf(), deps.logs);
      return log;
    },
    tools,
    get artifacts() {
      artifacts ??= deps.artifactsOf(job);
      return artifacts;
    },
    get stores() {
      stores ??= deps.storesOf(job, run.claimed.lease);
      return stores;
    },
    progress: (update) => deps.progress.note(run, update),
    fence: () => fence(run, deps.queue),
  };
}

/** Passes only on the database's word: while it is away nothing is published, however long that takes. */
async function fence(run: Run, queue: WorkerQueue): Promise<void> {
  for (;;) {
    if (run.phase !== 'running') throw lostLease(run.claimed.lease);
    run.signal.throwIfAborted();
    try {
      if (await queue.holds(run.claimed.lease)) return;
      run.lose();
      throw lostLease(run.claimed.lease);
    } catch (error) {
      if (verdictOf(error) === 'fatal') throw error;
      await sleep(FENCE_RETRY_MS, undefined, { signal: run.signal });
    }
  }
}

function jobLog(run: Run, log: Logger, logs: LogBook): JobLog {
  const to =
    (level: JobLogLevel) =>
    (message: string, data?: Readonly<Record<string, unknown>>): void => {
      log[level]({ data }, message);
      logs.note(run, level, message, data);
    };
  return { debug: to('debug'), info: to('info'), warn: to('warn'), error: to('error') };
}
