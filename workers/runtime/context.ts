import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../src/core/errors.ts';
import type { Job } from '../../src/core/job.ts';
import type { WorkerQueue } from '../../src/core/queue.ts';
import { verdictOf } from '../../src/db/retryable.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import type { ArtifactLookup, HandlerContext, JobLog, Tools } from '../handler.ts';
import type { ProgressBoard } from './progress-board.ts';
import type { Run } from './run.ts';

export interface ContextDeps {
  readonly queue: WorkerQueue;
  readonly progress: ProgressBoard;
  readonly artifactsOf: (job: Job) => ArtifactLookup;
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
      log ??= jobLog(logOf());
      return log;
    },
    tools,
    get artifacts() {
      artifacts ??= deps.artifactsOf(job);
      return artifacts;
    },
    progress: (update) => deps.progress.note(run, update),
    fence: () => fence(run, deps.queue),
  };
}

/** Passes only on the database's word: while it is away nothing is published, however long that takes. */
async function fence(run: Run, queue: WorkerQueue): Promise<void> {
  for (;;) {
    if (run.phase !== 'running') throw lostLease(run);
    run.signal.throwIfAborted();
    try {
      if (await queue.holds(run.claimed.lease)) return;
      run.lose();
      throw lostLease(run);
    } catch (error) {
      if (verdictOf(error) === 'fatal') throw error;
      await sleep(FENCE_RETRY_MS, undefined, { signal: run.signal });
    }
  }
}

function lostLease(run: Run): DomainError {
  const { jobId, runNo } = run.claimed.lease;
  return new DomainError('LostLease', `Run ${runNo} of job ${jobId} does not hold its lease any more.`, {
    jobId,
    runNo,
  });
}

function jobLog(log: Logger): JobLog {
  return {
    debug: (message, data) => log.debug({ data }, message),
    info: (message, data) => log.info({ data }, message),
    warn: (message, data) => log.warn({ data }, message),
    error: (message, data) => log.error({ data }, message),
  };
}
